import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http';
import type { Socket } from 'node:net';
import { clientAddress } from './client-address.ts';
import { takeTurns } from './take-turns.ts';

/** How long a server waits for its peers, and for how many. */
export interface HttpServerLimits {
  /** The head of a request, from its first byte or the connection on. */
  readonly requestHeadersMs: number;
  /** A whole request with its body. */
  readonly requestMs: number;
  /** Between two requests on one connection. */
  readonly keepAliveMs: number;
  /** A connection on which nothing moves while a request is handled or its answer is read. */
  readonly silentConnectionMs: number;
  /** Connections of one address with an unfinished request; above it the oldest one is closed. */
  readonly maxUnfinishedRequests: number;
}

// How late a request that takes too long is found. Node's 30 s would triple the time for headers.
const CHECK_MS = 1_000;

// Known to Node from 24.9 on; earlier ones hand over every request with an `Upgrade` header as a handshake.
type UpgradeOptions = ServerOptions & {
  readonly shouldUpgradeCallback: (request: IncomingMessage) => boolean;
};

/** Makes the server of a platform: every wait for a peer has an end. It does not listen yet. */
export function createHttpServer(listener: RequestListener, limits: HttpServerLimits): Server {
  const options: UpgradeOptions = {
    headersTimeout: limits.requestHeadersMs,
    // Node refuses a shorter time for the whole than for its head.
    requestTimeout: Math.max(limits.requestMs, limits.requestHeadersMs),
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: CHECK_MS,
    // `Upgrade: h2c`, as curl sends it with --http2, is no reason not to answer the request.
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
  };
  const server = createServer(options, takeTurns(listener));
  server.timeout = limits.silentConnectionMs;
  boundUnfinishedRequests(server, limits);
  return server;
}

/**
 * Closes the oldest unfinished connections of an address that has too many. An honest client finishes its request within
 * milliseconds, so these are the attacker's. None is closed in the first third of its time: after a restart thousands of
 * clients may come at once through one proxy.
 */
function boundUnfinishedRequests(
  server: Server,
  { maxUnfinishedRequests, requestHeadersMs }: HttpServerLimits,
): void {
  const minAgeMs = requestHeadersMs / 3;
  // Since when, on a clock that is never set back, in the order of arrival.
  const unfinished = new Map<string, Map<Socket, number>>();
  const finish = (socket: Socket, address: string): void => {
    const sockets = unfinished.get(address);
    sockets?.delete(socket);
    if (sockets?.size === 0) unfinished.delete(address);
  };
  const addresses = new WeakMap<Socket, string>();
  server.on('connection', (socket) => {
    const address = clientAddress(socket.remoteAddress, null, 0);
    const nowMs = performance.now();
    const sockets = unfinished.get(address) ?? new Map<Socket, number>();
    unfinished.set(address, sockets.set(socket, nowMs));
    addresses.set(socket, address);
    socket.once('close', () => finish(socket, address));
    // Before Node's own listener, which would answer with 400: the peer has closed its side in the middle of a request.
    socket.prependOnceListener('end', () => {
      if (unfinished.get(address)?.has(socket) === true) socket.destroy();
    });
    for (const [oldest, sinceMs] of sockets) {
      if (sockets.size <= maxUnfinishedRequests || nowMs - sinceMs < minAgeMs) break;
      sockets.delete(oldest);
      oldest.destroy();
    }
  });
  const onHead = (socket: Socket): void => finish(socket, addresses.get(socket) ?? '');
  server.on('upgrade', (request) => onHead(request.socket));
  server.on('request', (request) => {
    const { headers, socket } = request;
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (hasBody) request.once('end', () => onHead(socket));
    else onHead(socket);
  });
}
