import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { FakePlatform, type FakePlatformOptions } from './fake-platform.ts';
import type { FakePeer } from './fake-session.ts';

export interface FakePlatformServer {
  readonly platform: FakePlatform;
  readonly endpoint: string;
  close(): Promise<void>;
}

const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Expose-Headers': 'Retry-After',
};

/** Starts the fake platform with real HTTP and real sockets, on a free port of this machine. */
export async function startFakePlatform(options: FakePlatformOptions = {}): Promise<FakePlatformServer> {
  const platform = new FakePlatform(options);
  const http = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (request.method === 'OPTIONS') {
        response.writeHead(204, CORS).end();
        return;
      }
      const body = parts.length > 0 ? Buffer.concat(parts).toString('utf8') : null;
      platform.answer(new URL(request.url ?? '/', 'http://localhost').pathname, body).then(
        async (answer) => {
          response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), ...CORS });
          response.end(await answer.text());
        },
        () => request.socket.destroy(),
      );
    });
  });
  const sockets = new WebSocketServer({ noServer: true });
  http.on('upgrade', (request, socket, head) => {
    const accepted = platform.accept(new URL(request.url ?? '/', 'http://localhost'));
    if (!accepted) {
      // Not 401, to which Node's own WebSocket responds with a second request.
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (ws) => {
      const { session, cursor } = accepted;
      const peer: FakePeer = {
        send: (frame) => ws.send(frame),
        close: (code) => ws.close(code),
        terminate: () => ws.terminate(),
      };
      ws.on('message', (data: Buffer, isBinary) =>
        session.receive(peer, isBinary ? null : data.toString('utf8')),
      );
      ws.on('close', () => session.peers.delete(peer));
      session.open(peer, cursor);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  // A TCP server's address is an object with a port.
  const { port } = http.address() as AddressInfo;
  platform.options = { ...options, websocketUrl: `ws://127.0.0.1:${port}/ws` };
  return {
    platform,
    endpoint: `http://127.0.0.1:${port}`,
    async close() {
      for (const client of sockets.clients) client.terminate();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
