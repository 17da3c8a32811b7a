import { copyFile, cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MIGRATION = '9999_next_release.sql';
const PARTS = ['bin', 'knowledge', 'migrations', 'package.json', 'src'];

/** A release in a separate folder, with `server-platform/bin/natter-platform.js`. */
export interface ReleaseFolder {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Creates the next release: the platform of this checkout with one more migration. */
export async function makeNextRelease(): Promise<ReleaseFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'natter-next-release-'));
  const platform = join(ROOT, 'server-platform');
  for (const part of PARTS)
    await cp(join(platform, part), join(folder, 'server-platform', part), { recursive: true });
  await copyFile(
    join(platform, 'test/db/next-release', MIGRATION),
    join(folder, 'server-platform/migrations', MIGRATION),
  );
  // The protocol and the SDK are from this checkout.
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
