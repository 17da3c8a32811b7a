import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { PATIENCE } from '../e2e/patience.ts';

const RUN = fileURLToPath(new URL('./run.ts', import.meta.url));

const runLabs = (...words: readonly string[]) =>
  spawnSync(process.execPath, ['--conditions=@natter/source', RUN, ...words], {
    encoding: 'utf8',
    timeout: 50_000 * PATIENCE,
  });

it.each([
  ['soak', ['--list'], 'lost: '],
  ['attack', ['--list'], 'pings'],
  ['cluster', ['--list'], 'rolling'],
  ['images', ['--help'], '--stand-ins'],
  ['linear', ['--once', '1000'], 'tool calls in many pieces'],
  ['bench', [], 'append'],
])('npm run labs -- %s finds its laboratory', (name, options, said) => {
  const { stdout, stderr, status } = runLabs(name, ...options);
  expect(status, stderr).toBe(0);
  expect(stdout).toContain(said);
});

it('npm run labs lists the laboratories, and fails for an unknown name', () => {
  expect(runLabs()).toMatchObject({ status: 0, stdout: expect.stringContaining('replay') });
  expect(runLabs('nothing')).toMatchObject({ status: 2, stdout: expect.stringContaining('replay') });
});
