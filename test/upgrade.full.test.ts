import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlatformRun, runPlatform } from '../server-platform/src/testing/run-platform.ts';
import { makeNextRelease, type ReleaseFolder } from './next-release.ts';

let next: ReleaseFolder;
let folder: string;
beforeAll(async () => {
  next = await makeNextRelease();
  folder = await mkdtemp(join(tmpdir(), 'natter-upgrade-'));
});
afterAll(async () => {
  await next.remove();
  await rm(folder, { recursive: true, force: true });
});

const start = (data: string, words: string, release?: string): PlatformRun =>
  runPlatform(words.split(' '), { NATTER_DATA_DIR: join(folder, data) }, release);

/** Types a command, and resolves with its output and how it ended. */
async function type(data: string, words: string, release?: string): Promise<string> {
  const run = start(data, words, release);
  const code = await run.ended;
  return `${code}: ${run.out()}${run.err()}`;
}

describe('an upgrade to the next release, which changes the tables', () => {
  // Ten processes one after the other, each of which opens a database.
  it('refuses in its commands what is older or newer, changes the tables when told or when it serves, and restores what it made', async () => {
    expect(await type('data', 'account add harbour')).toMatch(/^0: /);
    const backup = join(folder, 'before.backup');
    expect(await type('data', `backup ${backup}`)).toMatch(/^0: Wrote \d+ rows/);

    expect(await type('data', 'account list', next.folder)).toMatch(
      /^1: .*has the tables of an earlier release \(1 migrations are missing\).*natter-platform db migrate/s,
    );
    expect(await type('data', 'db migrate', next.folder)).toBe('0: The tables are up to date.\n');
    expect(await type('data', 'account list', next.folder)).toMatch(/^0: .*harbour/s);
    // The release before does not open it any more, and is needed for its backup.
    expect(await type('data', 'account list')).toMatch(/^1: .*Start the newer version of the platform/s);
    expect(await type('other', `restore ${backup}`, next.folder)).toMatch(/^1: .*another release made it/s);
    expect(await type('restored', `restore ${backup}`)).toMatch(/^0: Restored \d+ rows/);

    const serving = start('restored', 'serve --port 0', next.folder);
    try {
      expect((await fetch(`${await serving.serving}/readyz`)).status).toBe(200);
    } finally {
      await serving.stop();
    }
    expect(await type('restored', 'account list', next.folder)).toMatch(/^0: .*harbour/s);
  }, 180_000);
});
