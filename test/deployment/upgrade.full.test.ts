import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PATIENCE } from '../../e2e/patience.ts';
import { migrate, openDatabase } from '../../server-platform/src/db/index.ts';
import { runPlatform } from '../../server-platform/test/run-platform.ts';
import { makeNextRelease, type ReleaseFolder } from './next-release.ts';

let next: ReleaseFolder;
let dataDir: string;
beforeAll(async () => {
  next = await makeNextRelease();
  dataDir = await mkdtemp(join(tmpdir(), 'natter-upgrade-'));
  const database = await openDatabase({ dataDir });
  await migrate(database);
  await database.close();
});
afterAll(async () => {
  await next.remove();
  await rm(dataDir, { recursive: true, force: true });
});

/** Runs a command; resolves with its output and exit status. */
async function type(words: string, release?: string): Promise<string> {
  const run = runPlatform(words.split(' '), { NATTER_DATA_DIR: dataDir }, release);
  const code = await run.ended;
  return `${code}: ${run.out()}${run.err()}`;
}

// Runs three processes one after the other, each of which opens a database.
it(
  'the next release changes the tables only on its own command, and this release then rejects them',
  async () => {
    expect(await type('account list', next.folder)).toMatch(
      /^1: .*has the tables of an earlier release \(1 migrations are missing\).*natter-platform db migrate/s,
    );
    expect(await type('db migrate', next.folder)).toMatch(/^0: The tables are up to date/);
    expect(await type('account list')).toMatch(/^1: .*Start the newer version of the platform/s);
  },
  90_000 * PATIENCE,
);
