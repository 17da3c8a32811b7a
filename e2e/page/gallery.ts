import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test as base, devices, type Page } from '@playwright/test';
import { build, preview } from 'vite';
import { STATES } from '../../demo/gallery/states.ts';
import { oncePerWorker, type TestWith } from '../once-per-worker.ts';
import { PATIENCE } from '../patience.ts';
import { findFreePort } from '../stack/free-port.ts';

/** Names of all states of the panel that the gallery shows. */
export const STATE_NAMES: readonly string[] = Object.keys(STATES);

/** Date and time of every gallery page, because some states show a day or a time. */
const NOW = '2026-05-14T12:05:00Z';

const toSearch = (query: Readonly<Record<string, string>>): string =>
  String(new URLSearchParams({ fonts: 'fixed', ...query }));

/** The served gallery. */
export interface Gallery {
  /** Shows one state, in the fonts of the tests; `query` has the parameters of the gallery page. */
  show(page: Page, state: string, query?: Readonly<Record<string, string>>): Promise<void>;
  /** Changes language, fonts and properties of the shown state to the values in `query`, as a page may at any time. */
  change(page: Page, query?: Readonly<Record<string, string>>): Promise<void>;
  stop(): Promise<void>;
}

async function startGallery(): Promise<Gallery> {
  const configFile = fileURLToPath(new URL('../../demo/gallery/vite.config.ts', import.meta.url));
  const outDir = await mkdtemp(join(tmpdir(), 'natter-gallery-'));
  const shared = { configFile, logLevel: 'error' as const };
  // Built, because a page of a few files opens much sooner than one of hundreds.
  await build({ ...shared, build: { outDir, emptyOutDir: true } });
  const server = await preview({
    ...shared,
    build: { outDir },
    preview: { host: '127.0.0.1', port: await findFreePort(), strictPort: true },
  });
  const opened = new WeakMap<Page, string>();
  const [address = ''] = server.resolvedUrls?.local ?? [];
  const call = (page: Page, name: string, query: Readonly<Record<string, string>>): Promise<void> =>
    page.evaluate(([called, next]) => Reflect.get(window, called)(next), [name, toSearch(query)] as const);
  return {
    async show(page, state, query = {}) {
      // A page keeps the theme that it was opened with.
      const look = query['look'] ?? '';
      if (opened.get(page) === look) return call(page, 'showState', { state, ...query });
      await page.goto(`${address}?${toSearch({ state, ...query })}`);
      await page.locator('html[data-ready]').waitFor();
      opened.set(page, look);
    },
    change: (page, query = {}) => call(page, 'changeState', query),
    async stop() {
      await server.close();
      await rm(outDir, { recursive: true });
    },
  };
}

interface GalleryFixtures {
  /** A page that the tests of a file share in a worker, because opening one takes longer than most of these tests. */
  readonly shared: Page;
}

interface GalleryWorkerFixtures {
  /** The gallery, built and served once per worker. */
  readonly gallery: Gallery;
  /** The page behind `shared`, as the previous test left it; each file has its own. */
  readonly pageOfFile: (file: string) => Promise<Page>;
}

/** Playwright's `test` with the gallery. */
export const test: TestWith<GalleryFixtures, GalleryWorkerFixtures> = base.extend<
  GalleryFixtures,
  GalleryWorkerFixtures
>({
  gallery: oncePerWorker(startGallery, 60_000 * PATIENCE),
  pageOfFile: [
    async ({ browser }, use) => {
      // Contains at most one page.
      const open = new Map<string, Page>();
      const closeAll = async (): Promise<void> => {
        for (const page of open.values()) await page.close();
        open.clear();
      };
      await use(async (file) => {
        const known = open.get(file);
        if (known) return known;
        await closeAll();
        const page = await browser.newPage({
          ...devices['Desktop Chrome'],
          locale: 'en-GB',
          timezoneId: 'Europe/Berlin',
        });
        await page.clock.setFixedTime(NOW);
        open.set(file, page);
        return page;
      });
      await closeAll();
    },
    { scope: 'worker', timeout: 60_000 * PATIENCE },
  ],
  shared: async ({ pageOfFile }, use, { file }) => {
    const page = await pageOfFile(file);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light', forcedColors: 'none' });
    await page.mouse.move(0, 0);
    await use(page);
  },
});
export { expect } from '@playwright/test';
