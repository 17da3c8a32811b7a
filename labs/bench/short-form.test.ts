import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const TABLES = fileURLToPath(new URL('./tables/', import.meta.url));
const RUN = fileURLToPath(new URL('./run.ts', import.meta.url));

// Small enough for every test run. The figures are kept in `labs/bench/tables` and in the log, and nothing is expected of them:
// what is tested is that the benches run.
it.each([
  ['rest', ['--engine', 'pglite', '--listed', '300', '--counted', '3000', '--runs', '1']],
  ['append', ['0.2']],
  ['load', ['--quick', '--nodes', '1']],
])('%s runs in a short form and prints its ratios', async (name, options) => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--conditions=@natter/source',
    RUN,
    name,
    ...options,
  ]);
  await mkdir(TABLES, { recursive: true });
  await writeFile(`${TABLES}${name}.txt`, stdout);
  console.log(stdout);
  // One of them has nothing to measure without a server.
  expect(stdout).toMatch(/\d +x(?: of .+)?$|^postgres not reachable, skipped/m);
});
