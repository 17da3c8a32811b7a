import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Hono } from 'hono';
import type { PlatformEnv } from '../http/index.ts';

const FOLDER = fileURLToPath(new URL('../../console', import.meta.url));
const PATH = '/console';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The console's page, at the address of every view, and its files. Throws when it was not built. */
export function createConsolePages(folder: string = FOLDER): Hono<PlatformEnv> {
  if (!existsSync(join(folder, 'index.html')))
    throw new Error('The console is not built. Run: npm run build:console');
  // Few and small; names are looked up here and never become paths.
  const files = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [relative(folder, file), readFileSync(file)]),
  );
  return new Hono<PlatformEnv>().get('/*', (context) => {
    if (context.req.path === PATH) return context.redirect(`${PATH}/`);
    const path = context.req.path.slice(PATH.length + 1);
    const name = isView(path) ? 'index.html' : path;
    const file = files.get(name);
    if (file === undefined) return context.notFound();
    return new Response(new Uint8Array(file), {
      headers: {
        'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream',
        // Names in the folder of assets have a hash of what is in them.
        'Cache-Control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        'Content-Security-Policy': POLICY,
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
      },
    });
  });
}

/** Whether a path below the console's is that of a view; the page itself finds out which one. */
function isView(path: string): boolean {
  return !/^assets(?:\/|$)/.test(path) && extname(path) === '' && !path.includes('..');
}
