import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { PATIENCE } from '../../e2e/patience.ts';
import { LINEAR_CASES } from './linear-cases.ts';

const MEASURE = fileURLToPath(new URL('measure.ts', import.meta.url));

// Linear readers are through with all of them within seconds, on a busy machine within two minutes. One that is
// quadratic takes minutes for its own alone, and is stopped: it is the first whose name is missing. `npm run labs --
// linear` measures the growth.
const SIZE = 262_144;
const STOP_AFTER_MS = 100_000 * PATIENCE;

it('reads every hostile input of 262,144 characters to its end', { timeout: STOP_AFTER_MS + 20_000 }, () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=@natter/source', MEASURE, '--once', String(SIZE)],
    { encoding: 'utf8', timeout: STOP_AFTER_MS, killSignal: 'SIGKILL' },
  );
  expect(stderr).toBe('');
  expect(stdout.trim().split('\n')).toEqual(LINEAR_CASES.map(({ name }) => name));
});
