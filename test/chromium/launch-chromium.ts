import { type Browser, chromium } from '@playwright/test';
import { PATIENCE } from '../../e2e/patience.ts';
import { CHROMIUM_ARGS, findChromium } from './find-chromium.ts';

/** Starts Chromium for a program outside Playwright's runner. */
export async function launchChromium(args: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  const browser = await chromium.launch({
    args: [...CHROMIUM_ARGS, ...args],
    ...(executablePath && { executablePath }),
  });
  browser.on('context', (context) => context.setDefaultTimeout(30_000 * PATIENCE));
  return browser;
}
