import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { clientAddress } from './client-address.ts';
import { createMetricsRoute, type MetricsGuesses, type MetricsSource } from './metrics-route.ts';

/** Options of the metrics listener. */
export interface MetricsServerOptions {
  /** 0: any free port; null: no listener. */
  readonly port: number | null;
  readonly host: string;
  /** Bearer token of the scraper; null: none is required. */
  readonly token: string | null;
}

/** A running metrics listener. */
export interface MetricsServer {
  /** Address of the page, such as `http://127.0.0.1:9464/metrics`. */
  readonly url: string;
  close(): Promise<void>;
}

// A scraper sends a few hundred bytes at once.
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;

/** Serves `GET /metrics` and nothing else on a separate port. Resolves with null when `port` is null. */
export async function startMetricsServer(
  { host, port, token }: MetricsServerOptions,
  metrics: MetricsSource,
  guesses: MetricsGuesses,
): Promise<MetricsServer | null> {
  if (port === null) return null;
  const app = new Hono<{ Bindings: HttpBindings }>();
  // Scrapers connect to this port directly, so the peer's address is authoritative.
  const addressOf = ({ env }: { readonly env: HttpBindings }): string =>
    clientAddress(env.incoming.socket.remoteAddress, null, 0);
  app.get('/metrics', createMetricsRoute({ token, metrics, guesses, addressOf }));
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // By default Node checks every 30 s, which would extend the limits above.
      connectionsCheckingInterval: 1_000,
    },
    getRequestListener(app.fetch),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // A server that listens on a host and port has an `AddressInfo`.
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
