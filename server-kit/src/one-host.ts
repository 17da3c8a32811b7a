import type { IncomingMessage } from 'node:http';

/** Names a request that names none: HTTP/1.0 knows no `Host`, and health checks still speak it. */
export const UNNAMED_HOST = 'localhost';

/**
 * Whether a request names its host once. Of several names Node takes the first where a proxy in front
 * may take the last, so that the two would serve different hosts; RFC 9112, 3.2 asks for a 400.
 * A request in HTTP/1.0 may name none.
 */
export function hasOneHost({
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>): boolean {
  // Names and values in turns.
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  const hosts = names.filter((name) => name.toLowerCase() === 'host').length;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}
