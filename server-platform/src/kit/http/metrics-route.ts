import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, Handler } from 'hono';
import type { LimitVerdict } from './window-limiter.ts';

/** Writes the metrics page. */
export interface MetricsSource {
  readonly contentType: string;
  page(): Promise<string>;
}

/** Counts wrong tokens per address. */
export interface MetricsGuesses {
  count(address: string, credential: string): Promise<LimitVerdict>;
}

/** Options of the metrics route. */
export interface MetricsRouteOptions {
  /** Bearer token of the scraper; null: none is required. */
  readonly token: string | null;
  readonly metrics: MetricsSource;
  readonly guesses: MetricsGuesses;
  /** Returns the address that a request's wrong tokens are counted under. */
  readonly addressOf: (context: Context) => string;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Responds with the metrics page; with 401 for a wrong or missing token, and with 429 after too many wrong ones. The
 * right token always passes.
 */
export function createMetricsRoute({ token, metrics, guesses, addressOf }: MetricsRouteOptions): Handler {
  // Digests have a fixed length, so the comparison takes the same time for every text.
  const expected = token === null ? null : digest(`Bearer ${token}`);
  return async (context) => {
    const authorization = context.req.header('authorization') ?? '';
    if (expected !== null && !timingSafeEqual(digest(authorization), expected)) {
      const guess = authorization.replace(/^Bearer /, '');
      const verdict: LimitVerdict =
        guess === '' ? { allowed: true } : await guesses.count(addressOf(context), guess);
      if (!verdict.allowed) {
        context.header('Retry-After', String(verdict.retryAfterSeconds));
        return context.text('Too many wrong tokens.\n', 429);
      }
      context.header('WWW-Authenticate', 'Bearer realm="metrics"');
      return context.text('The metrics need their bearer token.\n', 401);
    }
    const headers = { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' };
    return context.body(await metrics.page(), 200, headers);
  };
}
