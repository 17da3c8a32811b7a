import type { IncomingMessage } from 'node:http';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
/** The development server's address that starts an editor. */
const OPENS_EDITOR = /\/__open-in-editor\b/;
const OWN_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);
// What browsers say of a page's own calls, and of addresses that were typed.
const OWN_SITES = new Set(['same-origin', 'none']);

/**
 * Whether a request that changes something comes from a page of another site: it used a host name that is not this
 * machine's, or its page is not of this server. Browsers send a page's simple requests without asking.
 */
export function isForeignRequest({
  method = 'GET',
  url = '/',
  headers,
}: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): boolean {
  if (READING.has(method) && !OPENS_EDITOR.test(url)) return false;
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  if (!URL.canParse(`http://${host}`) || !OWN_NAMES.has(new URL(`http://${host}`).hostname)) return true;
  if (origin !== undefined) return origin !== `http://${host}`;
  return site !== undefined && !OWN_SITES.has(String(site));
}
