import { randomBytes } from 'node:crypto';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { Socket } from 'node:net';
import type { Handshake } from './handshake.ts';

/** A server's response to a handshake. */
export interface HandshakeResult {
  readonly response: IncomingMessage;
  /** Includes the bytes already received on it; `null` if the handshake was rejected. */
  readonly socket: Socket | null;
}

/** Performs a WebSocket handshake with Node's own HTTP client. Rejects without an answer. */
export const performHandshake = (
  url: string,
  key: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<HandshakeResult> =>
  new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? requestSecure : requestPlain;
    const request = send(url, {
      // A separate connection, because it is no longer an HTTP connection once the server accepts.
      agent: false,
      signal,
      headers: {
        ...headers,
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': key,
      },
    });
    request.once('upgrade', (response, socket: Socket, head) => {
      if (head.length > 0) socket.unshift(head);
      resolve({ response, socket });
    });
    request.once('response', (response) => {
      resolve({ response, socket: null });
      // Its text may contain the host, so it is not read.
      request.destroy();
    });
    request.on('error', reject);
    request.end();
  });

/** Performs a WebSocket handshake with Node's own HTTP client. */
export const nodeHandshake: Handshake = async (url, { origin, signal }) => {
  const key = randomBytes(16).toString('base64');
  const { response, socket } = await performHandshake(
    url,
    key,
    origin === null ? {} : { Origin: origin },
    signal,
  );
  socket?.destroy();
  return {
    status: response.statusCode ?? 0,
    retryAfter: socket === null ? (response.headers['retry-after'] ?? null) : null,
  };
};
