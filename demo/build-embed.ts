import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUTPUT = join(ROOT, 'dist/embed');

const newestChange = (folder: string): number =>
  Math.max(
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );

/** Builds the script-tag bundle when it is missing or older than its sources; returns its folder. */
export function buildEmbed(): string {
  const loader = join(OUTPUT, 'natter.js');
  const isFresh = existsSync(loader) && statSync(loader).mtimeMs > newestChange(join(ROOT, 'src'));
  if (isFresh) return OUTPUT;
  console.error('Building the widget …');
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const { status } = spawnSync(process.execPath, [vite, 'build', '--mode', 'embed', '--logLevel', 'warn'], {
    cwd: ROOT,
    // The list of addresses on standard output stays free of build messages.
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error('The widget could not be built; the messages above say why.');
  return OUTPUT;
}
