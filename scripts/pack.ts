// Builds the packages and packs them into `packages/`: `npm run packages`. `npm install packages/*.tgz` then installs them
// from this clone instead of from the registry.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'packages');

function run(command: string, args: readonly string[]): void {
  // npm is a script of the shell on Windows.
  const shell = process.platform === 'win32' && command === 'npm';
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', shell });
  if (status !== 0) process.exit(status ?? 1);
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER);
run(process.execPath, ['scripts/build.ts', 'browser', 'packages', 'servers', 'console', 'docs']);
run('npm', [
  ...['pack', '--silent', '--ignore-scripts', '--pack-destination', FOLDER, '--include-workspace-root'],
  ...['server-sdk', 'server-token-proxy', 'server-platform'].flatMap((folder) => ['--workspace', folder]),
]);
