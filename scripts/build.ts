// Builds everything that the packages hold: `npm run build`, or one part of it: `npm run build -- docs`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Part {
  readonly help: string;
  /** Arguments of Node. */
  readonly runs: readonly (readonly string[])[];
}

const installed = (path: string): string => join(ROOT, 'node_modules', path);
const VITE = installed('vite/bin/vite.js');
const TSC = installed('typescript/bin/tsc');

const PARTS: Readonly<Record<string, Part>> = {
  browser: {
    help: 'the script natter.js with its parts, and the modules of the npm package',
    runs: [
      [VITE, 'build', '--mode', 'embed'],
      [VITE, 'build', '--mode', 'npm'],
    ],
  },
  console: {
    help: 'the console, which the platform serves',
    runs: [[VITE, 'build', '--config', 'console/vite.config.ts']],
  },
  servers: {
    help: 'the two servers, and the script of the API reference that the platform serves',
    runs: [
      [join(ROOT, 'scripts/bundle-servers.ts')],
      ['--conditions=@natter/source', join(ROOT, 'server-platform/src/api/openapi/pack-reference.ts')],
    ],
  },
  // With --force, because a folder that was emptied looks current to the compiler.
  packages: { help: 'the SDK, and the declarations of all packages', runs: [[TSC, '-b', '--force']] },
  docs: {
    help: 'the documentation as a site, which the platform serves',
    runs: [[installed('vitepress/bin/vitepress.js'), 'build', 'docs']],
  },
};
/** Files that the packages require. */
const STANDARD = ['browser', 'console', 'packages', 'servers'];

const names = process.argv.slice(2);
const unknown = names.filter((name) => PARTS[name] === undefined);
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts:`);
  for (const [name, { help }] of Object.entries(PARTS)) console.error(`  ${name.padEnd(10)} ${help}`);
  process.exit(2);
}
for (const name of names.length > 0 ? names : STANDARD) {
  for (const args of PARTS[name]?.runs ?? []) {
    const { status } = spawnSync(process.execPath, args, {
      cwd: ROOT,
      stdio: 'inherit',
    });
    if (status !== 0) process.exit(status ?? 1);
  }
}
