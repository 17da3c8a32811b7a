import { Hono } from 'hono';
import { SETUP_ERRORS } from 'natter/protocol';
import type { Sql } from '../../db/index.ts';
import type { Clock } from '../../kit/clock.ts';
import {
  createRunExclusive,
  createWindowLimiter,
  type PlatformEnv,
  refusalResponse,
} from '../../kit/http/index.ts';
import { findFile, type SentFile } from '../desk-files.ts';

// A visitor who opens a conversation with twenty pictures, some times over.
const READS = { limit: 200, windowMs: 60_000 };

/**
 * `GET /files/{id}/{name}`: a file from the desk, for everyone who has its address. Browsers run nothing in it, and save
 * what is no picture.
 */
export function createFilePage(sql: Sql, clock: Clock): Hono<PlatformEnv> {
  const page = new Hono<PlatformEnv>();
  const reads = createWindowLimiter(READS);
  // Each file in memory may have some megabytes.
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
    const file = await runExclusive(() => findFile(sql, context.req.param('id')));
    return file === null
      ? refusalResponse({ error: SETUP_ERRORS.notFound, correlationId })
      : answer(file, correlationId);
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

function answer({ name, type, content }: SentFile, correlationId: string): Response {
  const isPicture = type.startsWith('image/');
  return new Response(new Uint8Array(content), {
    headers: {
      'Content-Type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
      'Content-Disposition': `${isPicture ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(name)}`,
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
}
