import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { createServer } from 'vite';
import { STATES } from '../demo/gallery/states.ts';
import { findFreePort } from './free-port.ts';

/** Names of all states of the panel that the gallery shows. */
export const STATE_NAMES: readonly string[] = Object.keys(STATES);

/** The gallery, served. */
export interface Gallery {
  /** Shows one state; `query` takes what the gallery's page says. */
  show(page: Page, state: string, query?: Readonly<Record<string, string>>): Promise<void>;
  close(): Promise<void>;
}

export async function startGallery(): Promise<Gallery> {
  const server = await createServer({
    configFile: fileURLToPath(new URL('../demo/gallery/vite.config.ts', import.meta.url)),
    logLevel: 'silent',
    server: { host: '127.0.0.1', port: await findFreePort(), strictPort: true },
  });
  await server.listen();
  const [address = ''] = server.resolvedUrls?.local ?? [];
  return {
    async show(page, state, query = {}) {
      await page.goto(`${address}?${new URLSearchParams({ state, ...query })}`);
      await page.locator('html[data-ready]').waitFor();
      // Animations have run, pictures and late parts are there.
      await page.evaluate(() => document.fonts.ready);
      await page.waitForLoadState('networkidle');
    },
    close: () => server.close(),
  };
}
