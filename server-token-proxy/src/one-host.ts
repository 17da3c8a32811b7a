import type { IncomingMessage } from 'node:http';

/**
 * Whether a request names its host once. Of several names Node takes the first where a proxy in front
 * may take the last, so that the two would serve different hosts; RFC 9112, 3.2 asks for a 400.
 */
export function hasOneHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  // Names and values in turns.
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  return names.filter((name) => name.toLowerCase() === 'host').length === 1;
}
