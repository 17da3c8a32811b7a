import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { createBenchRoutes } from '../bench/bench-routes.ts';
import type { PlatformFaults } from '../bench/faults.ts';
import type { FlakyLink } from '../link/flaky-link.ts';
import { demoPolicy, type WidgetOrigins } from './content-security-policy.ts';
import type { FileStore } from './file-store.ts';
import { isForeignRequest } from './foreign-request.ts';
import { HelpPages } from './help-pages.ts';
import { BOOKING, NOT_FOUND, NOT_PAID, PAID, PAY } from './own-pages.ts';
import { readScript } from './read-script.ts';
import { selectSeason } from './select-season.ts';

/** Parts that the demo server shows, and that its test bench may break. */
export interface DemoServerOptions {
  readonly port: number;
  /** Asked on every request, because the proxy starts after this server and needs its address. */
  readonly getOrigins: () => WidgetOrigins;
  readonly link: FlakyLink;
  /** Files of visitors. */
  readonly files: Pick<FileStore, 'read'>;
  /** Faults of the platform; null when it runs elsewhere. */
  readonly platform: PlatformFaults | null;
  /** The pages of a development server on the same port; null where there is none, or not yet. */
  readonly getDevelopmentPages: () => DevelopmentPages | null;
  /** Books a payment; false when no conversation waits for it. */
  readonly pay: (reference: string) => Promise<boolean>;
}

/** A development server on the site's port. */
export interface DevelopmentPages {
  /** Whether an address, without its origin, is one of this server. */
  isFor(url: string): boolean;
  answer(request: IncomingMessage, response: ServerResponse): void;
  /** Allows a page of the site to load the development server's additions. */
  adapt(response: Response): Promise<Response>;
}

export interface DemoServer {
  readonly url: string;
  /** For servers that share its port. */
  readonly server: Server;
  close(): Promise<void>;
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const SITE = here('../site');
const PUBLIC = here('../../public');
const SCRIPT = { 'Content-Type': 'text/javascript' } as const;

// As long as platform and token proxy wait for their peers.
const SERVER_TIMES = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};

/** Starts the company's site at `/`, its help centre at `/help` and the test bench at `/bench`, on 127.0.0.1. */
export async function startDemoServer(options: DemoServerOptions): Promise<DemoServer> {
  const answer = getRequestListener(createDemoApp(options).fetch);
  const server = createServer(SERVER_TIMES, (request, response) => {
    if (isForeignRequest(request)) {
      response.writeHead(403, { 'Content-Type': 'text/plain' }).end('This call comes from a foreign page.\n');
      return;
    }
    const pages = options.getDevelopmentPages();
    if (pages?.isFor(request.url ?? '')) pages.answer(request, response);
    else void answer(request, response);
  });
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a host and port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  const url = `http://localhost:${port}`;
  return {
    url,
    server,
    async close() {
      const closed = once(server, 'close');
      server.close();
      // Streams of the console never end on their own.
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Fills the addresses of proxy and platform into a page, which holds the snippet as a customer writes it. */
type WithProxy = (html: string) => string;

function createDemoApp(options: DemoServerOptions): Hono {
  const { getOrigins } = options;
  const help = new HelpPages();
  const withProxy: WithProxy = (html) =>
    html.replaceAll(
      'src="/natter.js"',
      `src="${getOrigins().proxy}/natter.js" data-image-hosts="${new URL(getOrigins().platform).host}"`,
    );
  const app = new Hono();
  // The server listens before the token proxy does, because that one has to know its address.
  app.use(async (context, next) => {
    if (getOrigins().proxy !== '') return await next();
    return context.text('The demo is starting. Try again in some seconds.', 503, { 'Retry-After': '3' });
  });
  // The chat of a page at 127.0.0.1 would be of another site than the token proxy, whose cookies browsers refuse then.
  app.use(async (context, next) => {
    const url = new URL(context.req.url);
    if (url.hostname !== '127.0.0.1' || context.req.method !== 'GET') return await next();
    url.hostname = 'localhost';
    return context.redirect(url.href);
  });
  // Before the pages' own headers, which are weaker.
  app.get('/files/:id/:name', (context) =>
    options.files.read(context.req.param('id'), context.req.param('name')),
  );
  app.use(async (context, next) => {
    await next();
    const pages = options.getDevelopmentPages();
    if (pages === null) return;
    const adapted = await pages.adapt(context.res);
    // Else the headers of the response before replace this one's.
    context.res = undefined;
    context.res = adapted;
  });
  addSecurityHeaders(app, getOrigins);
  app.get('/', (context) => context.html(withProxy(readSitePage('index.html'))));
  addHelpRoutes(app, help, withProxy);
  addPaymentRoutes(app, help, withProxy, options.pay);
  addBookingRoutes(app, help, withProxy);
  app.notFound((context) => context.html(withProxy(help.renderPage(NOT_FOUND)), 404));
  app.route('/', createBenchRoutes(options));
  addSiteFiles(app, withProxy);
  return app;
}

const readSitePage = (file: string): string =>
  selectSeason(readFileSync(join(SITE, file), 'utf8'), Date.now());

function addSecurityHeaders(app: Hono, getOrigins: () => WidgetOrigins): void {
  app.use(async (context, next) => {
    await next();
    // Pages of the test bench have separate policies.
    if (!context.res.headers.has('Content-Security-Policy'))
      context.header('Content-Security-Policy', demoPolicy(getOrigins()));
    context.header('X-Content-Type-Options', 'nosniff');
    context.header('Referrer-Policy', 'strict-origin-when-cross-origin');
    context.header('Cache-Control', 'no-cache');
  });
}

function addHelpRoutes(app: Hono, help: HelpPages, withProxy: WithProxy): void {
  app.get('/help', (context) => {
    const query = context.req.query('q')?.trim() ?? '';
    const page = query === '' ? help.renderIndex() : help.renderSearch(query.slice(0, 200));
    // The address of a picture is absolute.
    const { origin } = new URL(context.req.url);
    return context.html(withProxy(page).replace('data-avatar="/', `data-avatar="${origin}/`));
  });
  app.get('/help/:slug', (context) => {
    const page = help.renderArticle(context.req.param('slug'));
    return page === null ? context.notFound() : context.html(withProxy(page));
  });
}

function addPaymentRoutes(
  app: Hono,
  help: HelpPages,
  withProxy: WithProxy,
  pay: DemoServerOptions['pay'],
): void {
  app.get('/pay/:reference', (context) => context.html(withProxy(help.renderPage(PAY))));
  app.post('/pay/:reference', async (context) => {
    const isBooked = await pay(context.req.param('reference'));
    const page = help.renderPage(isBooked ? PAID : NOT_PAID);
    return context.html(withProxy(page), isBooked ? 200 : 409);
  });
}

function addBookingRoutes(app: Hono, help: HelpPages, withProxy: WithProxy): void {
  app.get('/book', (context) => {
    // The articles' pages have no script.
    const page = help
      .renderPage(BOOKING)
      .replace('</head>', () => '<script src="/book.js" type="module"></script></head>');
    return context.html(withProxy(page));
  });
  app.get('/book.js', (context) => context.body(readScript('./book.ts'), 200, SCRIPT));
}

/** Serves the pages of the site, which hold the snippet, and all other files as they are. */
function addSiteFiles(app: Hono, withProxy: WithProxy): void {
  app.get('/:page{[a-z-]+\\.html}', (context) => {
    try {
      return context.html(withProxy(readSitePage(context.req.param('page'))));
    } catch {
      // No file of that name in the site's folder.
      return context.notFound();
    }
  });
  for (const root of [SITE, PUBLIC]) {
    app.use(
      '*',
      serveStatic({
        root,
        onFound: (path, context) => {
          if (extname(path) === '.svg') context.header('Content-Type', 'image/svg+xml');
        },
      }),
    );
  }
}
