import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { build, preview } from 'vite';
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
  const configFile = fileURLToPath(new URL('../demo/gallery/vite.config.ts', import.meta.url));
  const outDir = await mkdtemp(join(tmpdir(), 'natter-gallery-'));
  const shared = { configFile, logLevel: 'error' as const };
  // Built, because the tests open some hundred pages, and a page of a few files opens much sooner.
  await build({ ...shared, build: { outDir, emptyOutDir: true } });
  const server = await preview({
    ...shared,
    build: { outDir },
    preview: { host: '127.0.0.1', port: await findFreePort(), strictPort: true },
  });
  const opened = new WeakMap<Page, string>();
  const [address = ''] = server.resolvedUrls?.local ?? [];
  return {
    async show(page, state, query = {}) {
      const search = String(new URLSearchParams({ state, ...query }));
      // What a page keeps from when it was opened.
      const lasting = `${query['look']} ${query['fonts']}`;
      if (opened.get(page) === lasting) {
        await page.evaluate((next) => Reflect.get(window, 'showState')(next), search);
        return;
      }
      await page.goto(`${address}?${search}`);
      await page.locator('html[data-ready]').waitFor();
      opened.set(page, lasting);
    },
    async close() {
      await server.close();
      await rm(outDir, { recursive: true });
    },
  };
}
