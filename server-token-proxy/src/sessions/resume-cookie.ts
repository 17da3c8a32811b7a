import { base64url } from 'jose';

/** Keeps a ticket in the browser where no script can read it. Source: ST-3. */
export interface ResumeCookie {
  /** Whether the browser would keep and return a cookie of ours for this request. */
  isPossible(headers: Headers, origin: string | null): origin is string;
  /** The ticket that came with the request, null for none. */
  read(headers: Headers, origin: string, connector: string): Promise<string | null>;
  /** A `Set-Cookie` value that keeps the ticket; null when browsers would drop a cookie of that size. */
  keep(ticket: string, origin: string, connector: string): Promise<string | null>;
  /** A `Set-Cookie` value that removes it. */
  clear(origin: string, connector: string): Promise<string>;
}

// RFC 6265bis: browsers refuse a cookie whose name and value are longer together.
const MAX_COOKIE_LENGTH = 4_096;
const POSSIBLE_ORIGIN = /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::|$))/;

/** False on loopback hosts, for development: WebKit takes no secure cookie from there without TLS. */
const isSecure = (origin: string): boolean => origin.startsWith('https:');

/** Strict: no page of another site makes the browser send it, so no other site can use it. */
const attributesFor = (origin: string): string =>
  `Path=/; ${isSecure(origin) ? 'Secure; ' : ''}HttpOnly; SameSite=Strict`;

/**
 * Cookies are shared by every page of a site, and tickets belong to one origin and one connector: each pair has a name of its
 * own. It is a digest, so that the cookie reveals neither. `__Host-`: only over TLS, from this host alone, for every
 * path.
 */
async function nameOf(basePath: string, origin: string, connector: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${basePath}\n${origin}\n${connector}`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `${isSecure(origin) ? '__Host-' : ''}natter-${base64url.encode(digest.subarray(0, 9))}`;
}

/** Makes the cookie of a proxy mounted at `basePath`. */
export function createResumeCookie(basePath: string, lifetimeSeconds: number): ResumeCookie {
  return {
    isPossible(headers, origin): origin is string {
      const site = headers.get('sec-fetch-site');
      return (
        (site === 'same-origin' || site === 'same-site') && origin !== null && POSSIBLE_ORIGIN.test(origin)
      );
    },
    async read(headers, origin, connector) {
      const name = await nameOf(basePath, origin, connector);
      const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
      return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) || null;
    },
    async keep(ticket, origin, connector) {
      const name = await nameOf(basePath, origin, connector);
      return name.length + ticket.length > MAX_COOKIE_LENGTH
        ? null
        : `${name}=${ticket}; Max-Age=${lifetimeSeconds}; ${attributesFor(origin)}`;
    },
    clear: async (origin, connector) =>
      `${await nameOf(basePath, origin, connector)}=; Max-Age=0; ${attributesFor(origin)}`,
  };
}
