import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http';
import type { Socket } from 'node:net';
import { answerUnreadable } from './answer-unreadable.ts';
import { boundUnfinishedRequests } from './bound-unfinished-requests.ts';

/** How long a server waits for its peers, and for how many. */
export interface HttpServerLimits {
  /** The head of a request, from its first byte or the connection on. */
  readonly requestHeadersMs: number;
  /** A whole request with its body. */
  readonly requestMs: number;
  /** Between two requests on one connection. */
  readonly keepAliveMs: number;
  /** The head of a request, cookies included. */
  readonly maxHeaderBytes: number;
  /** A connection on which nothing moves while a request is handled or its answer is read. */
  readonly silentConnectionMs: number;
  /** Connections of one address with an unfinished request; above it the oldest ones are closed after a second. */
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
    maxHeaderSize: limits.maxHeaderBytes,
    connectionsCheckingInterval: CHECK_MS,
    // `Upgrade: h2c`, as curl sends it with --http2, is no reason not to answer the request.
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
  };
  const server = createServer(options, takeTurns(listener));
  server.timeout = limits.silentConnectionMs;
  answerUnreadable(server, limits.maxHeaderBytes);
  boundUnfinishedRequests(server, limits.maxUnfinishedRequests);
  return server;
}

/**
 * Handles the requests of one connection one after the other. Node calls its listener for every request that a chunk of
 * bytes holds, hundreds without a pause, before the first is answered; their answers go out in their order anyway. In turns,
 * a connection that sends requests without awaiting answers gets no more of the server than one that awaits them, and what
 * it has not been answered when it ends is dropped.
 */
function takeTurns(listener: RequestListener): RequestListener {
  // Of connections with a request that is being handled: those that wait.
  const waiting = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const handle = (): void => {
      response.once('close', next);
      listener(request, response);
    };
    const next = (): void => {
      const following = socket.destroyed ? undefined : waiting.get(socket)?.shift();
      if (following === undefined) waiting.delete(socket);
      // The other connections' events come first.
      else setImmediate(following);
    };
    const line = waiting.get(socket);
    if (line !== undefined) {
      line.push(handle);
      return;
    }
    waiting.set(socket, []);
    handle();
  };
}
