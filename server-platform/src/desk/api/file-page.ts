import { Hono } from 'hono';
import { SETUP_ERRORS } from 'natter/protocol';
import type { Sql } from '../../db/index.ts';
import type { Clock } from '../../kit/clock.ts';
import {
  createRunExclusive,
  createWindowLimiter,
  type PlatformEnv,
  refusalResponse,
  streamPieces,
} from '../../kit/http/index.ts';
import { findFile, readContent } from '../desk-files.ts';

// A visitor who opens a conversation with twenty pictures, some times over.
const READS = { limit: 200, windowMs: 60_000 };

/**
 * `GET /files/{id}/{name}`: a file from the desk, for everyone who has its address. Browsers run nothing in it, and
 * download everything but pictures.
 */
export function createFilePage(sql: Sql, clock: Clock): Hono<PlatformEnv> {
  const page = new Hono<PlatformEnv>();
  const reads = createWindowLimiter(READS);
  // The embedded database runs one statement at a time, and visitors' messages wait behind these.
  const runExclusive = createRunExclusive();
  page.get('/:id/:name', async (context) => {
    const { correlationId, clientAddress } = context.var;
    const verdict = reads.use(clientAddress, clock.now());
    if (!verdict.allowed)
      return refusalResponse({
        error: SETUP_ERRORS.rateLimited,
        correlationId,
        retryAfterSeconds: verdict.retryAfterSeconds,
      });
    const file = await findFile(sql, context.req.param('id'));
    if (file === null) return refusalResponse({ error: SETUP_ERRORS.notFound, correlationId });
    const isPicture = file.type.startsWith('image/');
    return new Response(streamPieces(readContent(sql, file), runExclusive), {
      headers: {
        'Content-Type': file.type.startsWith('text/') ? `${file.type}; charset=utf-8` : file.type,
        'Content-Length': String(file.size),
        'Content-Disposition': `${isPicture ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.name)}`,
        // The address is the permission, so any page may show the picture.
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
        // No copy outlives the erasure.
        'Cache-Control': 'private, no-store',
        'X-Correlation-Id': correlationId,
      },
    });
  });
  page.all('/:id/:name', ({ var: { correlationId } }) =>
    refusalResponse({
      error: SETUP_ERRORS.methodNotAllowed,
      correlationId,
      headers: { Allow: 'GET, HEAD' },
    }),
  );
  return page;
}
