import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import prefresh from '@prefresh/vite';
import { createServer, mergeConfig, normalizePath, type ViteDevServer } from 'vite';
import consoleConfig from '../../console/vite.config.ts';
import type { DevelopmentPages } from '../site-server/demo-server.ts';
import { allowDevelopment } from './allow-development.ts';
import { hotStyles } from './hot-styles.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BASE = '/console/';
/** Files of pages that are read with every request. */
const PAGE_FOLDERS = ['demo/site', 'demo/bench/pages', 'public', 'src/widget/themes'].map((folder) =>
  join(ROOT, folder),
);
/** The test bench's pages by their addresses; they are not in the development server's own folder. */
const BENCH_PAGES: Readonly<Record<string, string>> = {
  '/bench': 'index.html',
  '/bench/replay.html': 'replay.html',
};
const BENCH = join(ROOT, 'demo/bench/ui');

/**
 * In ms. Editors empty a file before they write it. Without this pause Vite reads the empty file, and its watcher then
 * misses the text, because it drops the second of two changes within 50 ms.
 */
const WRITE_FINISH = { stabilityThreshold: 100, pollInterval: 10 };

/** The servers beside the development server. */
export interface DevelopmentSite {
  readonly server: Server;
  readonly url: string;
  /** Where the console's calls go. */
  readonly platformUrl: string;
  /** For data kept between two starts. */
  readonly cacheDir: string;
}

/** The address of a source in the development server at `siteUrl`. */
export const toSourceUrl = (siteUrl: string, file: string): string =>
  encodeURI(`${siteUrl}${BASE}@fs/${normalizePath(file).replace(/^\//, '')}`);

/** The module that receives edits. */
export const toClientUrl = (siteUrl: string): string => `${siteUrl}${BASE}@vite/client`;

/** A development server on the site's port. */
export interface RunningPages extends DevelopmentPages {
  /** Reloads all pages. */
  reload(): void;
  close(): Promise<void>;
}

/** Serves the console, the test bench and the sources of the widget, and sends edits to the pages that show them. */
export async function startDevelopmentPages(site: DevelopmentSite): Promise<RunningPages> {
  const nonce = randomBytes(16).toString('base64url');
  const vite = await createServer(
    mergeConfig(consoleConfig, {
      configFile: false,
      clearScreen: false,
      logLevel: 'info',
      cacheDir: site.cacheDir,
      plugins: [prefresh(), hotStyles()],
      html: { cspNonce: nonce },
      optimizeDeps: {
        entries: [
          '*.html',
          join(BENCH, '*.html'),
          join(ROOT, 'src/embed/loader/prepare.ts'),
          join(ROOT, 'src/embed/loader/early.ts'),
        ],
      },
      server: {
        middlewareMode: true,
        hmr: { server: site.server },
        fs: { allow: [ROOT] },
        watch: {
          ignored: ['**/.natter/**', '**/dist/**', '**/server-*/**', '**/docs/**'],
          awaitWriteFinish: WRITE_FINISH,
        },
        proxy: {
          [`^${BASE}api/`]: site.platformUrl,
          '^/desk/': site.platformUrl,
        },
      },
    }),
  );
  vite.watcher.add(PAGE_FOLDERS);
  const reload = (): void => vite.environments.client.hot.send({ type: 'full-reload', path: '*' });
  vite.watcher.on('change', (file) => {
    if (PAGE_FOLDERS.some((folder) => file.startsWith(folder))) reload();
  });

  return {
    isFor(url) {
      const path = pathOf(url);
      return (
        [BASE, '/desk/'].some((own) => url.startsWith(own)) || path === '/console' || path in BENCH_PAGES
      );
    },
    answer(request, response) {
      const { url = '/' } = request;
      const page = BENCH_PAGES[pathOf(url)];
      if (page !== undefined) {
        response.setHeader('Content-Type', 'text/html');
        void writeBenchPage(vite, page)
          .catch((error: unknown) => {
            response.statusCode = 500;
            return String(error);
          })
          .then((html) => response.end(html));
        return;
      }
      if (pathOf(url) === '/console') request.url = url.replace('/console', BASE);
      vite.middlewares(request, response, () => {
        response.statusCode = 404;
        response.end('Not found\n');
      });
    },
    async adapt(response) {
      const headers = new Headers(response.headers);
      const policy = headers.get('Content-Security-Policy');
      if (policy !== null)
        headers.set('Content-Security-Policy', allowDevelopment(policy, { origin: site.url, nonce }));
      if (!headers.get('Content-Type')?.startsWith('text/html'))
        return new Response(response.body, { status: response.status, headers });
      const html = (await response.text()).replace(
        '<head>',
        `<head><meta property="csp-nonce" nonce="${nonce}" />`,
      );
      headers.delete('Content-Length');
      return new Response(html, { status: response.status, headers });
    },
    reload,
    close: () => vite.close(),
  };
}

const pathOf = (url: string): string => new URL(url, 'http://localhost').pathname;

/** A page of the test bench with what the development server adds; its scripts are found from any address. */
async function writeBenchPage(vite: ViteDevServer, name: string): Promise<string> {
  const folder = `/@fs/${normalizePath(BENCH).replace(/^\//, '')}`;
  const html = await readFile(join(BENCH, name), 'utf8');
  return await vite.transformIndexHtml(`${folder}/${name}`, html.replace('src="./', `src="${folder}/`));
}
