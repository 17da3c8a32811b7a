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

  it('is held by one, whose process is named to others, until it is released', () => {
    const { release } = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(`in use by another process (process ${process.pid})`);
    release();
    // Releasing again has no effect.
    release();
    lockFolder(folder).release();
  });

  it('leaves no file open, neither when it is refused nor when it is released', () => {
    const countOpen = (): number => readdirSync('/dev/fd').length;
    const before = countOpen();
    const { release } = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow('in use');
    release();
    expect(countOpen()).toBe(before);
  });

  it.each(['', 'nobody', '-1', '0', '1.5'])(
    'is refused without a name where the note says "%s"',
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
