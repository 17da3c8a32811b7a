import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { ReadEmbedFile } from './serve-embed-file.ts';

// Compressing smaller files saves no packet.
const MIN_COMPRESSED_BYTES = 1_024;
// Without source maps, which would take most of the startup time and are only used by debuggers.
const COMPRESSIBLE = /\.(?:js|css|json|svg|txt|wasm)$/;

const compressors = [
  { suffix: '.br', compress: promisify(brotliCompress) },
  { suffix: '.gz', compress: promisify(gzip) },
] as const;

async function listFiles(directory: string): Promise<readonly string[]> {
  const parts = await readdir(join(directory, 'natter'), { recursive: true }).catch(() => []);
  return [
    ...(await readdir(directory)).filter((name) => name.startsWith('natter.js')),
    ...parts.map((path) => `natter/${path.replaceAll('\\', '/')}`),
  ];
}

/**
 * Reads the build into memory and adds missing compressed copies. Requests are then served from memory by name, so none
 * can reach the disk.
 */
export async function readEmbedDir(directory: string): Promise<ReadEmbedFile> {
  const files = new Map<string, Uint8Array>();
  const paths = await listFiles(directory).catch(() => []);
  for (const path of paths) {
    const file = join(directory, path);
    if ((await stat(file)).isFile()) files.set(path, await readFile(file));
  }
  if (!files.has('natter.js')) {
    throw new Error(
      `natter.js not found in the embed directory ${directory}. Build the widget first, or correct NATTER_EMBED_DIR.`,
    );
  }
  for (const [path, bytes] of [...files]) {
    if (!COMPRESSIBLE.test(path) || bytes.byteLength < MIN_COMPRESSED_BYTES) continue;
    for (const { suffix, compress } of compressors) {
      if (!files.has(path + suffix)) files.set(path + suffix, await compress(bytes));
    }
  }
  return async (path) => files.get(path) ?? null;
}

/** Finds the widget's files in the installed package `natter`; null if they are not built. */
export function findEmbedDir(): string | null {
  const folder = new URL('./dist/embed/', import.meta.resolve('natter/package.json'));
  return existsSync(new URL('natter.js', folder)) ? fileURLToPath(folder) : null;
}
