import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import { contentSecurityPolicy } from '@natter/token-proxy';
import { Hono } from 'hono';
import type { FlakyLink } from '../link/flaky-link.ts';
import { demoPolicy, type WidgetOrigins } from '../site-server/content-security-policy.ts';
import { readScript } from '../site-server/read-script.ts';
import { selectSeason } from '../site-server/select-season.ts';
import { applyFault, describeLink, type PlatformFaults } from './faults.ts';
import { HOST_PAGES } from './host-pages.ts';

/** Dependencies of the test bench. */
export interface BenchOptions {
  readonly getOrigins: () => WidgetOrigins;
  readonly link: FlakyLink;
  /** Null when the platform runs elsewhere. */
  readonly platform: PlatformFaults | null;
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const PAGES = here('./pages');
const SITE = here('../site');
const BUILT = here('../dist/bench');
const LOOKS = here('../../src/widget/themes');
const SCRIPT = { 'Content-Type': 'text/javascript' } as const;
/** The page of the bench: its own files, and frames from here. */
const BENCH_POLICY = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:"],
  ...["frame-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');
/** The page that replays a recording answers its own calls. */
const REPLAY_POLICY = BENCH_POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'");

/** The test bench at `/bench`, reachable at this machine's own address: its pages and its faults. */
export function createBenchRoutes(options: BenchOptions): Hono {
  const { getOrigins, link, platform } = options;
  const app = new Hono();
  for (const [path, file, policy] of [
    ['/bench', 'index.html', BENCH_POLICY],
    ['/bench/replay.html', 'replay.html', REPLAY_POLICY],
  ] as const)
    app.get(path, (context) => {
      context.header('Content-Security-Policy', policy);
      return context.html(readFileSync(join(BUILT, file), 'utf8'));
    });
  app.use('/bench/assets/*', serveBelow('/bench', BUILT));
  app.use('/bench/looks/*', serveBelow('/bench/looks', LOOKS));
  app.get('/bench/bridge.js', (context) => context.body(readScript('../bench/bridge.ts'), 200, SCRIPT));
  app.get('/bench/pages/:page{[a-z-]+}', (context) => {
    const id = context.req.param('page');
    if (!HOST_PAGES.some((page) => page.id === id)) return context.notFound();
    const origins = getOrigins();
    context.header('Content-Security-Policy', policyOf(id, origins));
    const file = id === 'site' ? join(SITE, 'index.html') : join(PAGES, `${id}.html`);
    return context.html(
      selectSeason(readFileSync(file, 'utf8'), Date.now())
        .replace(/<!-- bridge -->|(?=<\/head>)/, '<script src="/bench/bridge.js"></script>')
        .replaceAll('src="/natter.js"', `src="${origins.proxy}/natter.js"`),
    );
  });
  app.use('/bench/pages/:file{[a-z-]+\\.(?:css|js)}', serveBelow('/bench/pages', PAGES));
  addPolicy(app, getOrigins);
  app.get('/bench/faults', (context) => context.json(describeLink(link.conditions)));
  app.post('/bench/faults/:fault', async (context) => {
    const body: unknown = await context.req.json().catch(() => null);
    const isOn = typeof body === 'object' && body !== null && 'on' in body && body.on === true;
    const result = await applyFault(context.req.param('fault'), isOn, { link, platform });
    return result === null
      ? context.json({ message: 'Unknown fault.' }, 404)
      : context.json(result.body, result.status);
  });
  return app;
}

/** Serves the files of a folder below a path. */
const serveBelow = (path: string, root: string) =>
  serveStatic({ root, rewriteRequestPath: (whole) => whole.slice(path.length) });

/** The header of a host page: that of the site, the strictest, or none, for pages that do what policies forbid. */
function policyOf(id: string, origins: WidgetOrigins): string {
  const framed = "frame-ancestors 'self'";
  if (id === 'site') return demoPolicy(origins).replace("frame-ancestors 'none'", framed);
  if (id !== 'strict-policy') return framed;
  const widget = contentSecurityPolicy({ endpoint: origins.proxy, platform: origins.socket });
  // The bridge, and the script that counts rejections.
  return `${widget.replace('script-src', "script-src 'self'")}; ${framed}`;
}

/** The header for a site, put together by the token proxy's own function. */
function addPolicy(app: Hono, getOrigins: () => WidgetOrigins): void {
  app.get('/bench/policy', (context) => {
    const { endpoint, platform, images = '', code } = context.req.query();
    const { proxy, socket } = getOrigins();
    try {
      return context.text(
        contentSecurityPolicy({
          endpoint: endpoint || proxy,
          platform: platform ?? socket,
          images: images.split(/[\s,]+/).filter(Boolean),
          code: code === 'page' ? 'page' : 'proxy',
        }),
      );
    } catch (error) {
      return context.text(error instanceof Error ? error.message : String(error), 400);
    }
  });
}
