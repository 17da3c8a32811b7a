import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The widget's files in the package `natter` that is installed along with this one; null where they are not built. */
export function findEmbedDir(): string | null {
  const folder = new URL('./dist/embed/', import.meta.resolve('natter/package.json'));
  return existsSync(new URL('natter.js', folder)) ? fileURLToPath(folder) : null;
}
