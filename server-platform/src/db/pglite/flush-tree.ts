import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { flushFolder } from './flushing-fs.ts';

/** Flushes every file and folder below a path, because initialisation writes thousands of files without flushing. */
export function flushTree(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) flushTree(child);
    else if (entry.isFile()) flushFile(child);
  }
  flushFolder(path);
}

function flushFile(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
