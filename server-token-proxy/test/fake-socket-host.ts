import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** The part of a platform that accepts sockets. */
export interface FakeSocketHost {
  readonly url: string;
  /** Handshakes for a session, as they arrived. */
  readonly seen: readonly IncomingMessage[];
  /** The answer to the next handshakes: `accept`, none at all, or this text. */
  answer: 'accept' | 'hang' | { readonly raw: string };
  /** The next socket that opens, or has opened unasked for. */
  nextSocket(): Promise<WebSocket>;
  close(): Promise<void>;
}

/** Starts one on a free port of this machine. It refuses messages of more than `maxPayload` bytes. */
export async function startFakeSocketHost(maxPayload: number): Promise<FakeSocketHost> {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true, maxPayload });
  const seen: IncomingMessage[] = [];
  const opened: WebSocket[] = [];
  const waiting: ((socket: WebSocket) => void)[] = [];
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => {});
    // Proxies try the socket without a session.
    if (!request.url?.includes('session_id=')) {
      socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    seen.push(request);
    if (host.answer === 'hang') return;
    if (host.answer !== 'accept') {
      socket.end(host.answer.raw);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (ws) => {
      ws.on('error', () => {});
      const next = waiting.shift();
      if (next === undefined) opened.push(ws);
      else next(ws);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server's address is an object with a port.
  const { port } = server.address() as AddressInfo;
  const host: FakeSocketHost = {
    url: `ws://127.0.0.1:${port}/ws`,
    seen,
    answer: 'accept',
    nextSocket: () =>
      new Promise((resolve) => {
        const next = opened.shift();
        if (next === undefined) waiting.push(resolve);
        else resolve(next);
      }),
    close: () =>
      new Promise((resolve) => {
        for (const { socket } of seen) socket.destroy();
        server.close(() => resolve());
      }),
  };
  return host;
}
