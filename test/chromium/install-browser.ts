import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from '@playwright/test';
import { findChromium } from './find-chromium.ts';

const PLAYWRIGHT = createRequire(import.meta.url).resolve('@playwright/test/cli');

const isThere = (): boolean => findChromium() !== undefined || existsSync(chromium.executablePath());

const run = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'inherit' }).status === 0;

// An installed browser first, then Playwright's download, then the system's packages.
const attempts: readonly (() => boolean)[] = [
  isThere,
  () => run(process.execPath, [PLAYWRIGHT, 'install', 'chromium']) && isThere(),
  () =>
    run('apt-get', ['update', '-qq']) && run('apt-get', ['install', '-y', '-qq', 'chromium']) && isThere(),
];

if (!attempts.some((attempt) => attempt())) {
  console.error(
    'No browser for the tests. Install Chromium or Chrome so that it is on the PATH, or set CHROMIUM_PATH to it.',
  );
  process.exit(1);
}
console.log(`browser: ${findChromium() ?? chromium.executablePath()}`);
