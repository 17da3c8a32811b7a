import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ReleaseFolder } from '../../test/deployment/next-release.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The release before this one, in a separate folder. */
export interface LastRelease extends ReleaseFolder {
  /** Its tag. */
  readonly name: string;
}

/** The newest tag of the history; null while there is none. Changesets tags the browser package as `natter@0.1.0`. */
function findLastRelease(): string | null {
  const words = ['describe', '--tags', '--abbrev=0', '--match', 'natter@*', 'HEAD'];
  const { status, stdout } = spawnSync('git', words, { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** The packages of this checkout; our packages come from the release. */
async function linkPackages(folder: string): Promise<void> {
  const ours = join(ROOT, 'node_modules');
  const theirs = join(folder, 'node_modules');
  await mkdir(join(theirs, '@natter'), { recursive: true });
  for (const name of await readdir(ours)) {
    if (name === 'natter' || name === '@natter') continue;
    await symlink(join(ours, name), join(theirs, name));
  }
  await symlink(folder, join(theirs, 'natter'));
  for (const name of ['sdk', 'token-proxy', 'platform'])
    await symlink(join(folder, `server-${name}`), join(theirs, '@natter', name));
  await symlink(join(folder, 'server-kit'), join(theirs, '@natter/server-kit'));
  for (const workspace of ['server-platform', 'server-sdk', 'server-token-proxy']) {
    const own = join(ROOT, workspace, 'node_modules');
    if (existsSync(own)) await symlink(own, join(folder, workspace, 'node_modules'));
  }
}

/** Extracts the previous release from the history; null while nothing was released. */
export async function takeLastRelease(): Promise<LastRelease | null> {
  const name = findLastRelease();
  if (name === null) return null;
  const folder = await mkdtemp(join(tmpdir(), 'natter-last-release-'));
  const taken = spawnSync('bash', ['-c', 'git archive "$1" | tar -x -C "$2"', 'bash', name, folder], {
    cwd: ROOT,
  });
  if (taken.status !== 0) throw new Error(`The release ${name} could not be taken out of the history.`);
  await linkPackages(folder);
  return { name, folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
