import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { Hono } from 'hono';
import type { PlatformEnv } from './platform-app.ts';

/** A folder of built pages, and its path. */
export interface StaticPages {
  readonly folder: string;
  /** Path without a trailing slash. */
  readonly path: string;
  /** The Content Security Policy of all files, or by file name and query. */
  readonly policy: string | ((name: string, search: URLSearchParams) => string);
  /** Whether a path belongs to a single-page application, which gets its one page. */
  readonly isView?: (path: string) => boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** Serves a folder's current files; `/page` is `page.html`, and `404.html` is sent for missing files. */
export function createStaticPages({ folder, path, policy, isView }: StaticPages): Hono<PlatformEnv> {
  // Few and small; names are looked up here and never become paths.
  const files = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [relative(folder, file), readFileSync(file)]),
  );
  const answer = (name: string, file: Buffer, status: number, search: URLSearchParams): Response =>
    new Response(new Uint8Array(file), {
      status,
      headers: {
        'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream',
        // Names in the assets folder contain a hash of their content.
        'Cache-Control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        'Content-Security-Policy': typeof policy === 'string' ? policy : policy(name, search),
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
      },
    });
  return new Hono<PlatformEnv>().get('/*', (context) => {
    // `context.req.path` lacks the trailing slash.
    const { pathname, searchParams } = new URL(context.req.url);
    if (pathname === path) return context.redirect(`${path}/`);
    const below = pathname.slice(path.length + 1);
    const asked = isView?.(below) ? 'index.html' : below;
    for (const name of [asked, `${asked}.html`, `${asked}index.html`, `${asked}/index.html`]) {
      const file = files.get(name);
      if (file !== undefined) return answer(name, file, 200, searchParams);
    }
    const missing = files.get('404.html');
    return missing === undefined ? context.notFound() : answer('404.html', missing, 404, searchParams);
  });
}
