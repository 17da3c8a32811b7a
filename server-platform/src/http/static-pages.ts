import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { Hono } from 'hono';
import type { PlatformEnv } from './platform-app.ts';

/** A folder of built pages, and where it is served. */
export interface StaticPages {
  readonly folder: string;
  /** Path without a slash at its end. */
  readonly path: string;
  /** The Content Security Policy, of all files or by their names. */
  readonly policy: string | ((name: string) => string);
  /** Paths of an application that finds its way itself: they get its one page. */
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

/** Serves the files of a folder as they are now; `/page` is `page.html`, and `404.html` answers for what is missing. */
export function createStaticPages({ folder, path, policy, isView }: StaticPages): Hono<PlatformEnv> {
  // Few and small; names are looked up here and never become paths.
  const files = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [relative(folder, file), readFileSync(file)]),
  );
  const answer = (name: string, file: Buffer, status: number): Response =>
    new Response(new Uint8Array(file), {
      status,
      headers: {
        'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream',
        // Names in the folder of assets have a hash of what is in them.
        'Cache-Control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        'Content-Security-Policy': typeof policy === 'string' ? policy : policy(name),
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
      },
    });
  return new Hono<PlatformEnv>().get('/*', (context) => {
    if (context.req.path === path) return context.redirect(`${path}/`);
    const below = context.req.path.slice(path.length + 1);
    const asked = isView?.(below) ? 'index.html' : below;
    for (const name of [asked, `${asked}.html`, `${asked}index.html`, `${asked}/index.html`]) {
      const file = files.get(name);
      if (file !== undefined) return answer(name, file, 200);
    }
    const missing = files.get('404.html');
    return missing === undefined ? context.notFound() : answer('404.html', missing, 404);
  });
}
