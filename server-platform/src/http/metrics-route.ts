import { createHash, timingSafeEqual } from 'node:crypto';
import type { Handler } from 'hono';

/** Writes the metrics page. */
export interface MetricsSource {
  readonly contentType: string;
  page(): Promise<string>;
}

/** What the metrics page is served with. */
export interface MetricsRouteOptions {
  /** The bearer token that a scraper sends; null: none is asked for. */
  readonly token: string | null;
  readonly metrics: MetricsSource;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Answers with the metrics page; with 401 when a token is asked for and the request has another one or none. */
export function createMetricsRoute({ token, metrics }: MetricsRouteOptions): Handler {
  // Digests have one length, so the comparison takes the same time for every text.
  const expected = token === null ? null : digest(`Bearer ${token}`);
  return async (context) => {
    const given = context.req.header('authorization') ?? '';
    if (expected !== null && !timingSafeEqual(digest(given), expected)) {
      context.header('WWW-Authenticate', 'Bearer realm="metrics"');
      return context.text('The metrics need their bearer token.\n', 401);
    }
    const headers = { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' };
    return context.body(await metrics.page(), 200, headers);
  };
}
