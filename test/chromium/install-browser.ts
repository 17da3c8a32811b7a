import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { findChromium } from './find-chromium.ts';

const PLAYWRIGHT = createRequire(import.meta.url).resolve('@playwright/test/cli');

const run = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'inherit' }).status === 0;

/** Returns the path of an installed browser; null if there is none. */
async function findBrowser(): Promise<string | null> {
  const installed = findChromium();
  if (installed !== undefined) return installed;
  // Loaded here, because it takes longer than the search above, and every run of a single test waits for it.
  const { chromium } = await import('@playwright/test');
  const path = chromium.executablePath();
  return existsSync(path) ? path : null;
}

// Playwright's download first, then the system's packages.
const installs: readonly (() => boolean)[] = [
  () => run(process.execPath, [PLAYWRIGHT, 'install', 'chromium']),
  () => run('apt-get', ['update', '-qq']) && run('apt-get', ['install', '-y', '-qq', 'chromium']),
];

let browser = await findBrowser();
for (const install of installs) {
  if (browser !== null) break;
  if (install()) browser = await findBrowser();
}
if (browser === null) {
  console.error(
    'No browser for the tests. Install Chromium or Chrome so that it is on the PATH, or set CHROMIUM_PATH to it.',
  );
  process.exit(1);
}
console.log(`browser: ${browser}`);
