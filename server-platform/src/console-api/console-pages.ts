import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Hono } from 'hono';
import { createStaticPages, type PlatformEnv } from '../kit/http/index.ts';
import { packageFile } from '../kit/package-files.ts';

const FOLDER = packageFile('console');

/** The page in the frame of the view Install. Its set-up may come from an address that a stranger has shared. */
const PREVIEW = 'preview.html';
const writePreviewPolicy = (connect: string, images: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src ${connect}`,
    `img-src ${images}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
/** While the scripted agent answers, nothing leaves the page. */
const SCRIPTED_POLICY = writePreviewPolicy("'none'", "'self' data: blob:");
/** With the answers of a token proxy, which a person has chosen in the view. */
const PROXY_POLICY = writePreviewPolicy('* ws: wss:', '* data: blob:');

/** The console itself: its own files, and the preview in a frame. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' blob:",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function policyFor(name: string, search: URLSearchParams): string {
  if (name !== PREVIEW) return PAGE_POLICY;
  return search.get('answers') === 'proxy' ? PROXY_POLICY : SCRIPTED_POLICY;
}

/** The console's page, at the address of every view, and its files. Throws when it was not built. */
export function createConsolePages(folder: string = FOLDER): Hono<PlatformEnv> {
  if (!existsSync(join(folder, 'index.html')))
    throw new Error('The console is not built. Run: npm run build -- console');
  return createStaticPages({ folder, path: '/console', policy: policyFor, isView });
}

/** Leads from each page of the console here to the same one at `consoleUrl`, the address of a development server. */
export function leadToConsole(consoleUrl: string): Hono<PlatformEnv> {
  return new Hono<PlatformEnv>().get('/*', (context) => {
    const { pathname, search } = new URL(context.req.url);
    return context.redirect(new URL(pathname.replace(/^\/console\/?/, './') + search, consoleUrl).href);
  });
}

/** Whether a path below the console's is that of a view; the page itself finds out which one. */
function isView(path: string): boolean {
  return !/^assets(?:\/|$)/.test(path) && extname(path) === '' && !path.includes('..');
}
