// Builds everything that the packages hold: `npm run build`, or one part of it: `npm run build -- docs`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Part {
  readonly help: string;
  /** Programs of Node with their arguments, below `node_modules`. */
  readonly runs: readonly (readonly string[])[];
}

const VITE = 'vite/bin/vite.js';
const TSC = 'typescript/bin/tsc';

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
    runs: [[VITE, 'build', '--config', 'demo/console/vite.config.ts']],
  },
  // With --force, because a folder that was emptied looks current to the compiler.
  packages: { help: 'the servers, and the declarations of all packages', runs: [[TSC, '-b', '--force']] },
  docs: {
    help: 'the documentation as a site, which the platform serves',
    runs: [['vitepress/bin/vitepress.js', 'build', 'docs']],
  },
};
/** What the packages cannot do without. */
const STANDARD = ['browser', 'console', 'packages'];

const names = process.argv.slice(2);
const unknown = names.filter((name) => PARTS[name] === undefined);
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts:`);
  for (const [name, { help }] of Object.entries(PARTS)) console.error(`  ${name.padEnd(10)} ${help}`);
  process.exit(2);
}
for (const name of names.length > 0 ? names : STANDARD) {
  for (const [program = '', ...args] of PARTS[name]?.runs ?? []) {
    const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules', program), ...args], {
      cwd: ROOT,
      stdio: 'inherit',
    });
    if (status !== 0) process.exit(status ?? 1);
  }
}
