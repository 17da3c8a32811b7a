import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { PATIENCE } from '../../e2e/patience.ts';

const TABLES = fileURLToPath(new URL('./tables/', import.meta.url));
const RUN = fileURLToPath(new URL('../run.ts', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'natter-benches-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

// Seconds each on an idle machine; embedded databases and browsers are started anew, which a busy one does slowly.
const PATIENCE_MS = 120_000 * PATIENCE;
const RATIO = /\d +x(?: of .+)?$/m;

// Small enough for every run of all tests. The figures are kept in `labs/bench/tables`, and nothing is expected of them:
// the test only checks that each bench runs and prints its figure.
it.for<readonly [name: string, options: readonly string[], figure: RegExp]>([
  ['append', ['0.2'], RATIO],
  ['retention', ['200', '0.2'], /retention removed [\d,]+ rows/],
  ['ownership', ['200'], /time \d+ x/],
  ['load', ['--quick', '--nodes', '1'], RATIO],
  ['gateway', ['0.2', '1', 'alone'], /gateway, stored \(pglite.+ messages\/s/],
  ['relay', ['0.2', '1', '50'], /added -?[\d.]+ ms[\s\S]+of memory per socket/],
  ['message', ['0.2'], /[\d.]+ statements/],
  ['scaling', [], /idle sockets/],
  ['widget', ['--runs', '1', '--size', '20'], /^(?:Some|All) figures/m],
  // Other projects' benches need an installation first.
  ['peers', ['--widgets', 'natter', '--runs', '1', '--only', 'launcher,click'], /focus.+ \d+ ms/],
  ['tabs', ['--runs', '1'], /to the next one \| +\d+ ms/],
  ['rest', ['--engine', 'pglite', '--listed', '300', '--counted', '3000', '--runs', '1'], RATIO],
  ['render', ['400'], /ratio to bare [\d.]+/],
  ['handshakes', ['--clients', '50', '--within-ms', '200'], /all back [\d.]+ s after the start/],
  [
    'console',
    ['--data', join(folder, 'console'), '--conversations', '200', '--rounds', '1', '--only', 'live'],
    /\| live \| \d+ \| \d+/,
  ],
  ['operator', [], /[\d.]+ s {2}all of it/],
  ['storm', ['--clients', '20'], /not back: 0/],
])(
  'the bench %s runs in a short form and prints its figures',
  { timeout: PATIENCE_MS },
  async ([name, options, figure], { signal }) => {
    const words = ['--conditions=@natter/source', RUN, 'bench', name, ...options];
    const { stdout } = await promisify(execFile)(process.execPath, words, { signal });
    await mkdir(TABLES, { recursive: true });
    await writeFile(`${TABLES}${name}.txt`, stdout);
    // Some have nothing to measure without a server.
    if (!/^postgres.+not reachable, skipped/m.test(stdout)) expect(stdout).toMatch(figure);
  },
);
