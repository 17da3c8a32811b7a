import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { PATIENCE } from '../../e2e/patience.ts';

const RUN = fileURLToPath(new URL('../run.ts', import.meta.url));

// Half a minute on an idle machine: three nodes and their servers start, fail and come back in real time.
const PATIENCE_MS = 120_000 * PATIENCE;

it('loses no message of a cluster whose nodes, bus and database fail', { timeout: PATIENCE_MS }, async ({
  signal,
}) => {
  const options = ['--conditions=@natter/source', RUN, 'cluster', '--quick'];
  const { stdout } = await promisify(execFile)(process.execPath, options, { signal }).catch(
    (error: unknown) => {
      // The output of each scenario has the details.
      throw new Error(String(Reflect.get(Object(error), 'stdout')), { cause: error });
    },
  );
  console.log(stdout);
  expect(stdout).toMatch(/^Nothing was lost|are skipped/m);
});
