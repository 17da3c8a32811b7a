import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newestChange } from './build-when-old.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUILT = join(ROOT, 'server-platform/docs/index.html');

/** Builds the documentation in a separate process when it is missing or older than its pages. */
export async function buildDocs(): Promise<void> {
  if (existsSync(BUILT) && statSync(BUILT).mtimeMs > newestChange(join(ROOT, 'docs'))) return;
  const vitepress = join(ROOT, 'node_modules/vitepress/bin/vitepress.js');
  // The list of addresses on standard output stays free of build messages.
  const child = spawn(process.execPath, [vitepress, 'build', 'docs'], { cwd: ROOT, stdio: 'ignore' });
  const stop = (): void => void child.kill();
  process.once('exit', stop);
  const [status] = await once(child, 'exit');
  process.removeListener('exit', stop);
  if (status !== 0)
    throw new Error('Could not build the documentation. Run npm run build -- docs to see why.');
}
