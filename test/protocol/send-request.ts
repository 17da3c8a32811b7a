import { request as httpRequest } from 'node:http';
import type { HttpRequest } from './read-examples.ts';

/** An answer over HTTP; `json` is undefined without a body. */
export interface HttpAnswer {
  readonly status: number;
  readonly json: unknown;
}

/** Sends a request unchanged, including one for a socket. */
export function sendRequest(url: string, { method, path, headers, body }: HttpRequest): Promise<HttpAnswer> {
  const isHandshake = 'Upgrade' in headers;
  const handshake = { 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' };
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${url}${path}`, {
      method,
      headers: { ...headers, ...(isHandshake && handshake) },
    });
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, json: undefined });
    });
    request.on('response', async (response) => {
      try {
        const text = Buffer.concat(await response.toArray()).toString();
        resolve({ status: response.statusCode ?? 0, json: text === '' ? undefined : JSON.parse(text) });
      } catch (error) {
        reject(error);
      }
    });
    request.on('error', reject);
    request.end(body);
  });
}
