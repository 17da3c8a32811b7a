import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Hono } from 'hono';
import { createStaticPages, type PlatformEnv } from '../http/index.ts';

const FOLDER = fileURLToPath(new URL('../../console', import.meta.url));

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
  return createStaticPages({ folder, path: '/console', policy: POLICY, isView });
}

/** Whether a path below the console's is that of a view; the page itself finds out which one. */
function isView(path: string): boolean {
  return !/^assets(?:\/|$)/.test(path) && extname(path) === '' && !path.includes('..');
}
