import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

// An initialised empty database, kept beside the installed engine, so that only the first database of an installation
// waits for initdb (seconds) and the others start in a fraction of one. Inside node_modules rather than in a shared
// temporary folder, where another user could put a prepared database in its place.
const ENGINE = new URL(import.meta.resolve('@electric-sql/pglite'));
const KEPT = new URL('../../../.cache/natter/pglite.tgz', ENGINE);

/** The kept empty database, or null when there is none. */
export async function readEmptyDatabase(): Promise<Blob | null> {
  try {
    return new Blob([await readFile(keptPath(await engineVersion()))]);
  } catch {
    // Not made yet, or not readable: the database is then initialised the slow way.
    return null;
  }
}

/** Keeps an empty database for the next time, if the installation is writable. */
export async function keepEmptyDatabase(content: Blob): Promise<void> {
  const path = keptPath(await engineVersion());
  const unfinished = `${path}.${process.pid}-${Date.now()}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(unfinished, new Uint8Array(await content.arrayBuffer()));
    await rename(unfinished, path);
  } catch {
    // A read-only installation costs every first start its seconds, no more.
    await rm(unfinished, { force: true });
  }
}

/** Removes a kept database that could not be loaded. */
export async function dropEmptyDatabase(): Promise<void> {
  await rm(keptPath(await engineVersion()), { force: true });
}

async function engineVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(new URL('../package.json', ENGINE), 'utf8'));
  const version =
    typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, 'version') : undefined;
  return typeof version === 'string' ? version : 'unknown';
}

function keptPath(version: string): string {
  return fileURLToPath(KEPT).replace(/\.tgz$/, `-${version}.tgz`);
}
