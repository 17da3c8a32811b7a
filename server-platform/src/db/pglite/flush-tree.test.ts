import fs, { fstatSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { flushTree } from './flush-tree.ts';

const flush = fs.fsyncSync;
/** Inodes of flushed files. */
let flushed: number[];
beforeEach(() => {
  flushed = [];
  fs.fsyncSync = (file) => {
    flushed.push(fstatSync(file).ino);
    flush(file);
  };
  syncBuiltinESMExports();
});
afterEach(() => {
  fs.fsyncSync = flush;
  syncBuiltinESMExports();
});

it('flushes every file and folder of a tree, files before their folder, and closes them all', async () => {
  const root = await mkdtemp(join(tmpdir(), 'natter-flush-'));
  try {
    await mkdir(join(root, 'base', 'empty'), { recursive: true });
    await writeFile(join(root, 'base', 'table'), 'rows');
    await writeFile(join(root, 'version'), '18');
    await symlink('nowhere', join(root, 'link'));
    const openBefore = (await readdir('/proc/self/fd')).length;
    flushTree(root);
    expect((await readdir('/proc/self/fd')).length).toBe(openBefore);
    const inode = async (...path: string[]): Promise<number> => (await stat(join(root, ...path))).ino;
    const [rootNode, base, empty] = [await inode(), await inode('base'), await inode('base', 'empty')];
    const [table, version] = [await inode('base', 'table'), await inode('version')];
    expect(new Set(flushed)).toEqual(new Set([rootNode, base, empty, table, version]));
    expect(flushed).toHaveLength(5);
    expect(flushed.indexOf(table)).toBeLessThan(flushed.indexOf(base));
    expect(flushed.at(-1)).toBe(rootNode);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
