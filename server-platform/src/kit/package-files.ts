import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

const MANIFEST = findPackageJSON(import.meta.url) ?? '';

/**
 * Returns the absolute path of a file or folder of this package, such as `knowledge/intents`, both in the sources and
 * in the bundle, whose modules are in another folder.
 */
export function packageFile(path: string): string {
  return join(dirname(MANIFEST), path);
}

/** The version of this package. */
export function readPackageVersion(): string {
  const { version }: { readonly version?: unknown } = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  if (typeof version !== 'string') throw new Error(`${MANIFEST} has no version.`);
  return version;
}
