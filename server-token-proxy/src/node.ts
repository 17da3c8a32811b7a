import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isIPv6 } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { createHttpServer } from '@natter/server-kit/create-http-server';
import { UNNAMED_HOST } from '@natter/server-kit/has-one-host';
import { createApp } from './app.ts';
import { openProxy } from './create-token-proxy.ts';
import { readEmbedDir } from './embed-files/read-embed-dir.ts';
import { refuseUnreadable } from './http/refuse-unreadable.ts';
import { createLog } from './kit/create-log.ts';
import type { TokenProxyOptions } from './options.ts';
import { nodeHandshake } from './probe/node-handshake.ts';
import type { ProxyContext } from './proxy-context.ts';
import { createRelay } from './relay/create-relay.ts';
import type { RelayOptions } from './relay/relay-options.ts';
import { DEFAULT_UPLOADS } from './uploads/upload-options.ts';

export { nodeHandshake };

/** Settings of a token proxy that listens on a port. */
export interface StartOptions extends Omit<TokenProxyOptions, 'readEmbedFile'>, RelayOptions {
  /** Address to listen on. Default `127.0.0.1`. */
  readonly host?: string;
  /** Port to listen on. Default 0, a free one. */
  readonly port?: number;
  /** Directory with `natter.js` and `natter/`; read and compressed once, at the start. Default: no files are served. */
  readonly embedDir?: string;
  /** Time limit for the head of a request. Default 15000. */
  readonly headersTimeoutMs?: number;
  /** Time limit for a whole request, body included; at least the uploads' limit. Default 30000. */
  readonly requestTimeoutMs?: number;
  /** How long an idle connection is kept open. Default 75000: longer than the 60 s of common load balancers. */
  readonly keepAliveMs?: number;
  /** Largest head of a request, cookies included; larger ones get 431. Default 65536. */
  readonly maxHeaderBytes?: number;
  /** Unfinished requests per address; above it, the oldest connections are closed after a second. Default 500. */
  readonly maxUnfinishedRequests?: number;
  /** Level of the default log. Default `info`. */
  readonly logLevel?: string;
}

/** A token proxy that is listening. */
export interface RunningTokenProxy {
  /** Base URL including the mount path, which pages use as their endpoint. */
  readonly url: string;
  /**
   * Stops accepting connections, waits up to 5 s for requests in flight, and frees the port. Relayed sockets are closed
   * with 1001, thousands of them within 2 s. Safe to call repeatedly.
   */
  close(): Promise<void>;
}

// Time for requests in flight after `close` was called.
const CLOSE_GRACE_MS = 5_000;

function writeUrl({ address, port }: AddressInfo, basePath: string): string {
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}${basePath}`;
}

/**
 * Starts a token proxy on a port of this machine.
 *
 * Rejects when an option is wrong, the embed directory has no `natter.js`, or the port is unavailable.
 *
 * @example
 * const { url, close } = await startTokenProxy({ upstreamUrl, connectors, ticketKeys, allowedOrigins });
 */
export async function startTokenProxy(options: StartOptions): Promise<RunningTokenProxy> {
  const {
    host = '127.0.0.1',
    port = 0,
    embedDir,
    logLevel = 'info',
    headersTimeoutMs = 15_000,
    requestTimeoutMs = 30_000,
    keepAliveMs = 75_000,
    maxHeaderBytes = 65_536,
    maxUnfinishedRequests = 500,
    ...proxyOptions
  } = options;
  const log = options.log ?? createLog(logLevel);
  // All other bodies must arrive within `deadlineMs`.
  const uploadMs = options.uploads ? (options.uploads.deadlineMs ?? DEFAULT_UPLOADS.deadlineMs) : 0;
  const readEmbedFile = embedDir === undefined ? undefined : await readEmbedDir(embedDir);
  const proxy = openProxy({
    handshake: nodeHandshake,
    ...proxyOptions,
    log,
    ...(readEmbedFile === undefined ? {} : { readEmbedFile }),
  });
  const { relayTickets } = proxy;
  const relay = relayTickets && createRelay(proxy, relayTickets, options);
  const server = createHttpServer(
    {
      onRequest: createListener(proxy, options.basePath ?? ''),
      handshakes: relay && { isHandshake: relay.isHandshake, onHandshake: relay.handleUpgrade },
      onUnreadable: (socket, reason, lastBytes) =>
        refuseUnreadable(socket, reason, lastBytes, maxHeaderBytes),
    },
    {
      requestHeadersMs: headersTimeoutMs,
      requestMs: Math.max(requestTimeoutMs, uploadMs),
      keepAliveMs,
      maxHeaderBytes,
      silentConnectionMs: 0,
      maxUnfinishedRequests,
    },
  );
  const address = await listen(server, host, port);
  server.on('error', () => log.error({}, 'server error'));
  let closing: Promise<void> | null = null;
  return {
    url: writeUrl(address, options.basePath ?? ''),
    close() {
      closing ??= Promise.all([relay?.close(), closeServer(server)]).then(() => {});
      return closing;
    },
  };
}

/** Passes requests to the proxy, except for `/livez`, which reports that the process is running. */
function createListener(proxy: ProxyContext, basePath: string): RequestListener {
  const app = createApp(proxy);
  const serve = getRequestListener(
    async (request, env) => {
      // This server speaks HTTP/1.1 only.
      const { incoming } = env as HttpBindings;
      if (request.method === 'GET' && new URL(request.url).pathname === `${basePath}/livez`)
        return Response.json({ status: 'ok' });
      return await app.fetch(request, { clientAddress: incoming.socket.remoteAddress });
    },
    // A library must not replace its host's Request and Response.
    { overrideGlobalObjects: false, hostname: UNNAMED_HOST },
  );
  return (request, response) => void serve(request, response);
}

/** Opens the port. Rejects when it is unavailable. */
async function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address;
}

/** Lets requests in flight finish for `CLOSE_GRACE_MS`, then closes their connections. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => {
      server.closeAllConnections();
    }, CLOSE_GRACE_MS);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}
