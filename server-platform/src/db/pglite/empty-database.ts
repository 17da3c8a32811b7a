import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

// An initialised empty database, cached beside the installed engine, so that only an installation's first database
// takes seconds for initdb. Cached in node_modules rather than in a shared temporary folder, where another user could
// plant a prepared database.
const ENGINE = new URL(import.meta.resolve('@electric-sql/pglite'));
const KEPT = new URL('../../../.cache/natter/pglite.tgz', ENGINE);

/** Returns the cached empty database; null if there is none. */
export async function readEmptyDatabase(): Promise<Blob | null> {
  try {
    return new Blob([await readFile(templatePath(await engineVersion()))]);
  } catch {
    // Not cached or unreadable: the database is then initialised the slow way.
    return null;
  }
}

/** Caches an empty database if the installation is writable. */
export async function storeEmptyDatabase(content: Blob): Promise<void> {
  const path = templatePath(await engineVersion());
  const unfinished = `${path}.${process.pid}-${Date.now()}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(unfinished, new Uint8Array(await content.arrayBuffer()));
    await rename(unfinished, path);
  } catch {
    // With a read-only installation, every first start takes some seconds, nothing worse.
    await rm(unfinished, { force: true });
  }
}

/** Removes a cached database that could not be loaded. */
export async function dropEmptyDatabase(): Promise<void> {
  await rm(templatePath(await engineVersion()), { force: true });
}

async function engineVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(new URL('../package.json', ENGINE), 'utf8'));
  const version =
    typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, 'version') : undefined;
  return typeof version === 'string' ? version : 'unknown';
}

function templatePath(version: string): string {
  return fileURLToPath(KEPT).replace(/\.tgz$/, `-${version}.tgz`);
}
