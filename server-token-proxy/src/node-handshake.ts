import { randomBytes } from 'node:crypto';
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { Handshake } from './handshake.ts';

/** Performs a WebSocket handshake with Node's own HTTP client. */
export const nodeHandshake: Handshake = (url, { origin, signal }) =>
  new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? requestSecure : requestPlain;
    const asking = request(url, {
      // A connection of its own: it is not an HTTP connection any more once the far end agrees.
      agent: false,
      signal,
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
        ...(origin !== null && { Origin: origin }),
      },
    });
    asking.once('upgrade', (_, socket) => {
      socket.destroy();
      resolve({ status: 101, retryAfter: null });
    });
    asking.once('response', (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? null });
      response.once('end', () => asking.destroy());
    });
    asking.once('error', reject);
    asking.end();
  });
