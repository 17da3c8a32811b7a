import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COPIED = [
  'package.json',
  'tsconfig.base.json',
  'src',
  // The widget's compiler configuration names this folder.
  'test/widget',
  'console',
  'demo',
  'public',
  'e2e/recordings',
].concat([...['server-sdk', 'server-kit', 'server-token-proxy', 'server-platform']]);
/** Files that builds leave beside sources. */
const BUILT = ['dist', 'node_modules'].concat(
  ['console', 'docs', 'reference'].map((folder) => join('server-platform', folder)),
);
/** Packages of this repository, which are linked to the copy. */
const OWN: Readonly<Record<string, string>> = {
  natter: '.',
  '@natter/sdk': 'server-sdk',
  '@natter/server-kit': 'server-kit',
  '@natter/token-proxy': 'server-token-proxy',
  '@natter/platform': 'server-platform',
};

/** Copies the sources that the demo runs from to `folder`, where a test can edit them. Other packages are links. */
export function copySources(folder: string): void {
  for (const path of COPIED)
    cpSync(join(ROOT, path), join(folder, path), {
      recursive: true,
      filter: (file) => !BUILT.some((built) => `${sep}${relative(ROOT, file)}`.endsWith(`${sep}${built}`)),
    });
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@natter'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!(name in OWN) && !name.startsWith('.') && name !== '@natter')
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'junction');
  for (const [name, path] of Object.entries(OWN))
    symlinkSync(join(folder, path), join(modules, name), 'junction');
}
