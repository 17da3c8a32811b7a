import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

// As Node itself answers a request that it cannot read.
const BAD_REQUEST = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n';

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

/** Answers a request with 400 and ends its connection. */
export function answerBadRequest(response: ServerResponse): void {
  response.writeHead(400, { Connection: 'close' }).end();
}

/** The same for a handshake. */
export function answerBadHandshake(socket: Duplex): void {
  // A reset that comes before the answer is written must not end the process.
  socket.on('error', () => {});
  socket.end(BAD_REQUEST, () => socket.destroy());
}
