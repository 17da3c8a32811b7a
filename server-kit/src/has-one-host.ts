import type { IncomingMessage } from 'node:http';

/** Host of a request without one: HTTP/1.0 has no `Host`, and some health checks still use it. */
export const UNNAMED_HOST = 'localhost';

/**
 * Whether a request names its host exactly once. Of several names Node uses the first where a proxy in front may use
 * the last, so that they would serve different hosts; RFC 9112, 3.2 requires a 400. A request in HTTP/1.0 may name
 * none.
 */
export function hasOneHost({
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>): boolean {
  // Names and values alternate.
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  const hosts = names.filter((name) => name.toLowerCase() === 'host').length;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}
