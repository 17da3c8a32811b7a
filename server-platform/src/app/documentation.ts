import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Hono } from 'hono';
import { createStaticPages, type PlatformEnv } from '../kit/http/index.ts';
import { packageFile } from '../kit/package-files.ts';

const FOLDER = packageFile('docs');
const PATH = '/docs';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The documentation at `/docs/`, read with the first request for it, because `npm start` builds it meanwhile. */
export function createDocumentation(folder: string = FOLDER): Hono<PlatformEnv> {
  let pages: Hono<PlatformEnv> | null = null;
  return new Hono<PlatformEnv>().get('/*', (context) => {
    if (pages === null) {
      if (!existsSync(join(folder, 'index.html')))
        return context.text('The documentation is not built. Run: npm run build -- docs\n', 404);
      pages = createStaticPages({ folder, path: PATH, policy: POLICY });
    }
    return pages.fetch(context.req.raw);
  });
}
