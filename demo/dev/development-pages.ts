import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import prefresh from '@prefresh/vite';
import { createServer, mergeConfig, normalizePath, type Plugin } from 'vite';
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
/** The pages of the test bench, which are not below the server's own folder. */
const BENCH = normalizePath(join(ROOT, 'demo/bench/ui')).replace(/^\/?/, `${BASE}@fs/`);
/** Addresses on the site's port that the development server has, besides all below its own. */
const OTHERS: Readonly<Record<string, string>> = {
  '/bench': `${BENCH}/index.html`,
  '/bench/replay.html': `${BENCH}/replay.html`,
  '/console': BASE,
};

/** Lets scripts of a page be found from another address than the page's own, as at `/bench`. */
const locateScripts: Plugin = {
  name: 'natter-locate-scripts',
  transformIndexHtml: {
    order: 'pre',
    handler: (html, { path }) => html.replaceAll('src="./', `src="${posix.dirname(path)}/`),
  },
};

/** What the development server stands beside. */
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

/** A development server in the port of the site. */
export interface RunningPages extends DevelopmentPages {
  /** Has all pages load anew. */
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
      plugins: [prefresh(), hotStyles(), locateScripts],
      html: { cspNonce: nonce },
      optimizeDeps: {
        entries: [
          '*.html',
          join(ROOT, 'demo/bench/ui/*.html'),
          join(ROOT, 'src/embed/loader/prepare.ts'),
          join(ROOT, 'src/embed/loader/early.ts'),
        ],
      },
      server: {
        middlewareMode: true,
        hmr: { server: site.server },
        fs: { allow: [ROOT] },
        watch: { ignored: ['**/.natter/**', '**/dist/**', '**/server-*/**', '**/docs/**'] },
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
    isFor: (url) => url.startsWith(BASE) || url.startsWith('/desk/') || toOther(url) !== null,
    answer(request, response) {
      const other = toOther(request.url ?? '');
      if (other !== null) request.url = other;
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

/** The address in the development server of one that does not begin as its own do; null for another server's. */
function toOther(url: string): string | null {
  const { pathname, search } = new URL(url, 'http://localhost');
  const other = OTHERS[pathname];
  return other === undefined ? null : other + search;
}
