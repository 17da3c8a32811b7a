// Builds and packs the browser package once, with the declarations that `tsc -b` has written, and has the tarball checked:
// resolution of its types, its manifest. Then compares what all packages export with `api/`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

let isGreen = true;
/** Runs a command of npm; the others still run after one that fails. */
function run(command: string, ...args: readonly string[]): boolean {
  // npm and the programs of packages are scripts of the shell on Windows.
  const shell = process.platform === 'win32' && command !== process.execPath;
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', shell });
  if (status !== 0) isGreen = false;
  return status === 0;
}

const folder = mkdtempSync(join(tmpdir(), 'natter-package-'));
try {
  if (
    run('npm', 'run', 'build', '--', 'browser') &&
    run('npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder)
  ) {
    const [tarball = ''] = readdirSync(folder);
    run('attw', join(folder, tarball), '--profile', 'esm-only');
    run('publint', join(folder, tarball), '--strict');
    run(process.execPath, 'scripts/api-report.ts', '--check');
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = isGreen ? 0 : 1;
