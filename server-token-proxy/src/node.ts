import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isIPv6 } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { boundUnfinishedRequests } from './bound-unfinished-requests.ts';
import { createLog } from './create-log.ts';
import { createTokenProxy } from './create-token-proxy.ts';
import { nodeHandshake } from './node-handshake.ts';
import { hasOneHost, UNNAMED_HOST } from './one-host.ts';
import type { TokenProxy, TokenProxyOptions } from './options.ts';
import { readEmbedDir } from './read-embed-dir.ts';
import { takeTurns } from './take-turns.ts';
import { DEFAULT_UPLOADS } from './upload-options.ts';

export { nodeHandshake };

/** Settings of a token proxy that listens on a port. */
export interface StartOptions extends Omit<TokenProxyOptions, 'readEmbedFile'> {
  /** Address to listen on. Default `127.0.0.1`. */
  readonly host?: string;
  /** Port to listen on. Default 0, a free one. */
  readonly port?: number;
  /** Directory with `natter.js` and `natter/`; read and compressed once, at the start. Default: no files are served. */
  readonly embedDir?: string;
  /** How long the head of a request may take. Default 15000. */
  readonly headersTimeoutMs?: number;
  /** How long a whole request may take to arrive, body included; with uploads at least their time. Default 30000. */
  readonly requestTimeoutMs?: number;
  /** Connections of one address with an unfinished request; above it the oldest ones are closed after a second. Default 500. */
  readonly maxUnfinishedRequests?: number;
  /** For the log that is written when `log` is not given. Default `info`. */
  readonly logLevel?: string;
}

/** A token proxy that is listening. */
export interface RunningTokenProxy {
  /** Base URL, mount path included: what a page is given as its endpoint. */
  readonly url: string;
  /** Stops taking connections, lets requests in flight finish for up to 5 s, and frees the port. Safe to call twice. */
  close(): Promise<void>;
}

// What a request in flight may still need after a stop was asked for.
const CLOSE_GRACE_MS = 5_000;
// An idle connection of a browser is kept this long for its next request.
const KEEP_ALIVE_MS = 5_000;
// How late a request that takes too long is found. Node's 30 s would triple the time for headers.
const CHECK_MS = 1_000;

function writeUrl({ address, port }: AddressInfo, basePath: string): string {
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}${basePath}`;
}

/**
 * Starts a token proxy on a port of this machine.
 *
 * Rejects when an option is wrong, the embed directory has no `natter.js`, or the port cannot be had.
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
    maxUnfinishedRequests = 500,
    ...proxyOptions
  } = options;
  const log = options.log ?? createLog(logLevel);
  // Every other body has to arrive within `deadlineMs`.
  const uploadMs = options.uploads ? (options.uploads.deadlineMs ?? DEFAULT_UPLOADS.deadlineMs) : 0;
  const readEmbedFile = embedDir === undefined ? undefined : await readEmbedDir(embedDir);
  const proxy = createTokenProxy({
    handshake: nodeHandshake,
    ...proxyOptions,
    log,
    ...(readEmbedFile === undefined ? {} : { readEmbedFile }),
  });
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      // Node refuses a shorter time for the whole than for its head.
      requestTimeout: Math.max(requestTimeoutMs, headersTimeoutMs, uploadMs),
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_MS,
    },
    takeTurns(createListener(proxy, options.basePath ?? '')),
  );
  boundUnfinishedRequests(server, maxUnfinishedRequests);
  const address = await listen(server, host, port);
  server.on('error', () => log.error({}, 'the server reported an error'));
  let closing: Promise<void> | null = null;
  return {
    url: writeUrl(address, options.basePath ?? ''),
    close() {
      closing ??= closeServer(server);
      return closing;
    },
  };
}

/** Hands requests to the proxy, except for `/livez`, which says that the process runs. */
function createListener(proxy: TokenProxy, basePath: string): RequestListener {
  const serve = getRequestListener(
    async (request, env) => {
      // Its server speaks HTTP/1.1 only.
      const { incoming } = env as HttpBindings;
      if (!hasOneHost(incoming)) return new Response(null, { status: 400, headers: { Connection: 'close' } });
      if (request.method === 'GET' && new URL(request.url).pathname === `${basePath}/livez`)
        return Response.json({ status: 'ok' });
      return await proxy(request, { clientAddress: incoming.socket.remoteAddress });
    },
    // A library must not replace its host's Request and Response.
    { overrideGlobalObjects: false, hostname: UNNAMED_HOST },
  );
  return (request, response) => void serve(request, response);
}

/** Opens the port. Rejects when the port cannot be had. */
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
