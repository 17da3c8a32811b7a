import { base64url } from 'jose';

/** Stores a ticket in the browser, inaccessible to scripts. Source: ST-3. */
export interface ResumeCookie {
  /** Whether the browser would store and return a cookie for this request. */
  isPossible(headers: Headers, origin: string | null): origin is string;
  /** The ticket sent with the request; null for none. */
  read(headers: Headers, origin: string, connector: string): Promise<string | null>;
  /** A `Set-Cookie` value that stores the ticket; null if browsers would drop a cookie of that size. */
  keep(ticket: string, origin: string, connector: string): Promise<string | null>;
  /** A `Set-Cookie` value that removes it. */
  clear(origin: string, connector: string): Promise<string>;
}

// RFC 6265bis: browsers refuse cookies whose name and value together are longer.
const MAX_COOKIE_LENGTH = 4_096;
const POSSIBLE_ORIGIN = /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::|$))/;

/** False on loopback hosts, for development, because WebKit accepts no secure cookie there without TLS. */
const isSecure = (origin: string): boolean => origin.startsWith('https:');

/** Strict, so that the browser does not send it for pages of other sites. */
const attributesFor = (origin: string): string =>
  `Path=/; ${isSecure(origin) ? 'Secure; ' : ''}HttpOnly; SameSite=Strict`;

/**
 * Cookies are shared by all pages of a site, but tickets belong to one origin and connector, so each pair has its own
 * cookie name. The name is a digest, which reveals neither. `__Host-`: only over TLS, from this host only, for every
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
