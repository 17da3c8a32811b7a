import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { parseCursor } from 'natter/protocol';
import { WebSocketServer } from 'ws';
import { demoPolicy } from '../site-server/content-security-policy.ts';
import type { Recording } from './recording.ts';
import { renderReplayPage } from './replay-page.ts';
import { createReplayProxy, ReplaySessions } from './replay-proxy.ts';
import type { ReplayOptions, ReplayPeer } from './replay-session.ts';

/** A recording that is served. */
export interface ReplayServer {
  /** Address of the fake token proxy, and of the page with the widget. */
  readonly url: string;
  close(): Promise<void>;
}

export interface ReplayServerOptions extends ReplayOptions {
  /** Port on 127.0.0.1; 0 picks a free one. */
  readonly port: number;
  /** Folder of the script-tag build. */
  readonly embedDir: string;
}

const STYLES = new URL('./replay.css', import.meta.url);

function acceptSockets(server: Server, sessions: ReplaySessions): WebSocketServer {
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const address = new URL(request.url ?? '/', 'http://localhost');
    const session = sessions.findByAddress(address);
    if (session === null) {
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (ws) => {
      const peer: ReplayPeer = {
        send: (text) => ws.send(text),
        close: (code) => ws.close(code),
        terminate: () => ws.terminate(),
      };
      ws.on('message', (data: Buffer, isBinary) =>
        session.receive(peer, isBinary ? null : data.toString('utf8')),
      );
      ws.on('close', () => session.leave(peer));
      session.open(peer, parseCursor(address.searchParams.get('cursor')).cursor);
    });
  });
  return sockets;
}

/**
 * Serves a recording on 127.0.0.1 as token proxy, platform and page in one. Every new conversation runs through the
 * recording from its beginning.
 */
export async function startReplay(recording: Recording, options: ReplayServerOptions): Promise<ReplayServer> {
  const sessions = new ReplaySessions(recording, options);
  const app = new Hono();
  let port = 0;
  // A page of another origin may bring its script from here, and its calls carry credentials.
  app.use(cors({ origin: (origin) => origin, credentials: true, exposeHeaders: ['Retry-After'] }));
  app.route(
    '/v1',
    createReplayProxy(sessions, recording.offers, () => `ws://127.0.0.1:${port}/ws`),
  );
  app.use(async (context, next) => {
    await next();
    const [proxy, socket] = [`http://127.0.0.1:${port}`, `ws://127.0.0.1:${port}`];
    context.header('Content-Security-Policy', demoPolicy({ proxy, socket, platform: proxy }));
    context.header('Cache-Control', 'no-cache');
  });
  app.get('/', (context) => context.html(renderReplayPage(recording)));
  app.get('/replay.css', (context) =>
    context.body(readFileSync(STYLES), 200, { 'Content-Type': 'text/css' }),
  );
  app.use('*', serveStatic({ root: options.embedDir }));
  // No TLS options are given, so this is a server of node:http.
  const server = serve({ fetch: app.fetch, port: options.port, hostname: '127.0.0.1' }) as Server;
  const sockets = acceptSockets(server, sessions);
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
  });
  // A server that listens on a host and port has an address of this kind.
  port = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      sessions.stop();
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
