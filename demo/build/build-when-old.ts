import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Time of the newest change below a folder, in milliseconds; caches of builds do not count. */
export const newestChange = (folder: string): number =>
  Math.max(
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/[\\/]\.vitepress[\\/](?:cache|\.temp)/.test(entry.parentPath))
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );

/** Builds with vite when a file is missing or older than one of the sources; paths are below the root of the repository. */
export function buildWhenOld(
  what: string,
  file: string,
  sources: readonly string[],
  args: readonly string[],
): void {
  const built = join(ROOT, file);
  if (
    existsSync(built) &&
    statSync(built).mtimeMs > Math.max(...sources.map((folder) => newestChange(join(ROOT, folder))))
  )
    return;
  console.error(`Building ${what} …`);
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const { status } = spawnSync(process.execPath, [vite, 'build', ...args, '--logLevel', 'warn'], {
    cwd: ROOT,
    // The list of addresses on standard output stays free of build messages.
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error(`Could not build ${what}; the messages above say why.`);
}
