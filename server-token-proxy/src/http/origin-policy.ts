import { ProxyFailure } from '../proxy-failure.ts';

/** A caller's origin according to the headers `Origin` and `Sec-Fetch-Site`. */
export type OriginVerdict =
  | { readonly status: 'listed'; readonly origin: string }
  /** No origin or site header: the caller is a program, or a browser too old to send one. */
  | { readonly status: 'absent' }
  | { readonly status: 'refused'; readonly origin: string | null; readonly reason: string };

// Schemes of native web views, such as capacitor://localhost, for which the URL class returns no origin.
const OTHER_ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._~-]+(?::\d{1,5})?$/;

/**
 * Returns an origin in the form that browsers send (`https://shop.example` for `HTTPS://Shop.example:443/`), or null if
 * it is not a single origin: a wildcard, a path, a missing scheme. The word `null` stands for opaque origins.
 */
export function normalizeOrigin(written: string): string | null {
  const text = written.trim();
  if (text === 'null') return text;
  if (text.includes('*') || text.includes('@')) return null;
  if (!/^https?:/i.test(text)) return OTHER_ORIGIN.test(text) ? text : null;
  if (!URL.canParse(text) || !/^https?:\/\/[^/?#\\\s]+\/?$/i.test(text)) return null;
  return new URL(text).origin;
}

/**
 * Determines a request's origin: exact comparison of scheme, host and port. Scripts cannot set `Sec-Fetch-Site`, so it
 * reveals a browser that sends no `Origin`, and a request that no script made.
 */
export function judgeOrigin(headers: Headers, listed: ReadonlySet<string>): OriginVerdict {
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site');
  if (origin === null) {
    if (site === null || site === 'same-origin') return { status: 'absent' };
    return { status: 'refused', origin: null, reason: 'a browser request without an Origin header' };
  }
  if (!listed.has(origin)) return { status: 'refused', origin, reason: 'not on the list' };
  if (site === 'none') return { status: 'refused', origin, reason: 'not sent by a page' };
  return { status: 'listed', origin };
}

/** Rules for callers of one proxy. */
export interface OriginRules {
  /** Origins in the form that browsers send. */
  readonly listed: ReadonlySet<string>;
  /** Whether a caller may send no origin. */
  readonly mayOmitOrigin: boolean;
}

/** Returns the origin to bind a ticket to; null for a caller without one, if allowed. Throws `ORIGIN_NOT_ALLOWED`. */
export function admitOrigin(headers: Headers, { listed, mayOmitOrigin }: OriginRules): string | null {
  const verdict = judgeOrigin(headers, listed);
  if (verdict.status === 'listed') return verdict.origin;
  if (verdict.status === 'absent' && mayOmitOrigin) return null;
  const origin = verdict.status === 'refused' ? verdict.origin : null;
  const shown = origin === null ? null : JSON.stringify(origin.slice(0, 200));
  const message =
    shown === null
      ? 'This request has no allowed origin. Send it from a page whose origin is on the list of allowed origins.'
      : `Origin not allowed: ${shown}. The operator of the token proxy can add it to the list of allowed origins.`;
  throw new ProxyFailure('ORIGIN_NOT_ALLOWED', message, {
    logFields: {
      origin: shown,
      reason: verdict.status === 'refused' ? verdict.reason : 'no Origin header',
    },
  });
}
