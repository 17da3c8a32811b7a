import { createHash, timingSafeEqual } from 'node:crypto';
import type { Handler } from 'hono';

/** The content of the metrics page. */
export interface MetricsPage {
  readonly contentType: string;
  readonly body: string;
}

/** What the metrics page is served with. */
export interface MetricsRouteOptions {
  /** The bearer token that a scraper sends; null: none is asked for. */
  readonly token: string | null;
  readonly page: () => Promise<MetricsPage>;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Answers with the metrics page; with 401 when a token is asked for and the request has another one or none. */
export function createMetricsRoute({ token, page }: MetricsRouteOptions): Handler {
  // Digests have one length, so the comparison takes the same time for every text.
  const expected = token === null ? null : digest(`Bearer ${token}`);
  return async (context) => {
    const given = context.req.header('authorization') ?? '';
    if (expected !== null && !timingSafeEqual(digest(given), expected)) {
      context.header('WWW-Authenticate', 'Bearer realm="metrics"');
      return context.text('The metrics need their bearer token.\n', 401);
    }
    const { contentType, body } = await page();
    return context.body(body, 200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' });
  };
}
