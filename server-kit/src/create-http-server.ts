import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type AnswerUnreadable, answerUnreadable } from './answer-unreadable.ts';
import { boundUnfinishedRequests } from './bound-unfinished-requests.ts';
import { hasOneHost } from './one-host.ts';

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
  /** A connection on which nothing moves while a request is handled or its answer is read. 0: no limit. */
  readonly silentConnectionMs: number;
  /** Connections of one address with an unfinished request; above it the oldest ones are closed after a second. */
  readonly maxUnfinishedRequests: number;
}

/** What a server does with what arrives. */
export interface HttpServerHandlers {
  readonly onRequest: RequestListener;
  /** Null: no WebSockets are opened here. */
  readonly handshakes: {
    /** The others are answered as requests: `Upgrade: h2c`, as curl sends it with --http2, is no reason not to. */
    isHandshake(request: IncomingMessage): boolean;
    onHandshake(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  } | null;
  readonly onUnreadable: AnswerUnreadable;
}

/**
 * Most requests of one connection that may wait for an answer. Clients of HTTP/1.1 that send without awaiting answers have a
 * few of them under way. Each takes a few kB, a hundred times its length on the wire.
 */
const MAX_WAITING = 100;
// How late a request that takes too long is found. Node's 30 s would triple the time for headers.
const CHECK_MS = 1_000;

/** Makes a server whose waits for a peer all have an end. It does not listen yet. */
export function createHttpServer(
  { onRequest, handshakes, onUnreadable }: HttpServerHandlers,
  limits: HttpServerLimits,
): Server {
  const options = {
    headersTimeout: limits.requestHeadersMs,
    // Node refuses a shorter time for the whole than for its head.
    requestTimeout: Math.max(limits.requestMs, limits.requestHeadersMs),
    keepAliveTimeout: limits.keepAliveMs,
    maxHeaderSize: limits.maxHeaderBytes,
    connectionsCheckingInterval: CHECK_MS,
    // Known to Node from 24.9 on; earlier ones hand over every request with an `Upgrade` header as a handshake.
    shouldUpgradeCallback: (request: IncomingMessage) => handshakes?.isHandshake(request) === true,
  };
  const listener: RequestListener = (request, response) => {
    if (hasOneHost(request)) onRequest(request, response);
    else response.writeHead(400, { Connection: 'close' }).end();
  };
  const server = createServer(options, takeTurns(listener));
  if (handshakes !== null)
    server.on('upgrade', (request, socket, head) => {
      if (hasOneHost(request)) return handshakes.onHandshake(request, socket, head);
      // Node has let go of this socket: a reset must not end the process, and nothing else closes it.
      socket.on('error', () => {}).once('finish', () => socket.destroy());
      onUnreadable(socket, 'unreadable', head);
    });
  server.timeout = limits.silentConnectionMs;
  answerUnreadable(server, onUnreadable);
  boundUnfinishedRequests(server, limits.maxUnfinishedRequests);
  return server;
}

/**
 * Handles the requests of one connection one after the other. Node calls its listener for every request that a chunk of
 * bytes holds, hundreds without a pause, before the first is answered; their answers go out in their order anyway. In turns,
 * a connection that sends requests without awaiting answers gets no more of the server than one that awaits them, and what
 * it has not been answered when it ends is dropped. With more than `MAX_WAITING` of them it is closed: Node would read on.
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
      if (line.length < MAX_WAITING) line.push(handle);
      else socket.destroy();
      return;
    }
    waiting.set(socket, []);
    handle();
  };
}
