import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A script of a page, by its path from this folder, without its types. */
export const readScript = (path: string): string =>
  stripTypeScriptTypes(readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8'));
