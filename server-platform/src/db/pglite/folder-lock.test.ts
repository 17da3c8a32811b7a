import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFolder } from './folder-lock.ts';

describe('the lock of a data folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'natter-lock-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('gives the folder lock to one process, and names that process to others, until it is released', () => {
    const { release } = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(`in use by another process (process ${process.pid})`);
    release();
    // Releasing again has no effect.
    release();
    lockFolder(folder).release();
  });

  it('closes the lock file when the folder lock is refused or released', () => {
    const countOpen = (): number => readdirSync('/dev/fd').length;
    const before = countOpen();
    const { release } = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow('in use');
    release();
    expect(countOpen()).toBe(before);
  });

  it.each(['', 'nobody', '-1', '0', '1.5'])(
    'refuses the folder lock without naming a process when the lock file contains "%s"',
    async (note) => {
      const { release } = lockFolder(folder);
      await writeFile(join(folder, 'holder'), note);
      expect(() => lockFolder(folder)).toThrow('in use by another process. Stop');
      await rm(join(folder, 'holder'));
      expect(() => lockFolder(folder)).toThrow('in use by another process. Stop');
      release();
    },
  );
});
