import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';

const FOLDER = new URL('../../node_modules/@fontsource-variable/inter/', import.meta.url);

/**
 * Sets the font of the tests in a page, so that pictures look the same on every machine. The page's policy has to be
 * bypassed (`bypassCSP`).
 */
export async function fixFonts(page: Page): Promise<void> {
  await page.route('**/fixed-fonts/*', (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
    return route.fulfill({ path: fileURLToPath(new URL(`files/${name}`, FOLDER)) });
  });
  const faces = readFileSync(new URL('index.css', FOLDER), 'utf8').replaceAll('./files/', '/fixed-fonts/');
  const family = '"Inter Variable", sans-serif !important';
  const content = `${faces} body { font-family: ${family}; } natter-chat { --natter-font: ${family}; }`;
  await page.addStyleTag({ content });
}
