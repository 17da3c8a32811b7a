import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type AnswerUnreadable, answerUnreadable } from './answer-unreadable.ts';
import { boundUnfinishedRequests } from './bound-unfinished-requests.ts';
import { hasOneHost } from './has-one-host.ts';

/** Limits of a server for its peers. */
export interface HttpServerLimits {
  /** Time limit for the head of a request, from its first byte or the start of the connection. */
  readonly requestHeadersMs: number;
  /** Time limit for a whole request with its body. */
  readonly requestMs: number;
  /** Idle time between two requests of one connection. */
  readonly keepAliveMs: number;
  /** Size limit of a request's headers, including cookies. */
  readonly maxHeaderBytes: number;
  /** How long a connection may transfer nothing while a request is handled or its response is read. 0: no limit. */
  readonly silentConnectionMs: number;
  /** Unfinished requests per address; above it, the oldest connections are closed after a second. */
  readonly maxUnfinishedRequests: number;
}

/** Handlers of a server. */
export interface HttpServerHandlers {
  readonly onRequest: RequestListener;
  /** Null: no WebSockets. */
  readonly handshakes: {
    /** Other upgrades are handled as normal requests, such as `Upgrade: h2c`, which curl sends with --http2. */
    isHandshake(request: IncomingMessage): boolean;
    onHandshake(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  } | null;
  readonly onUnreadable: AnswerUnreadable;
}

/**
 * Maximum number of requests of one connection that may wait for a response. HTTP/1.1 clients that pipeline send a few at a
 * time. A waiting request takes a few kB of memory, a hundred times its length on the wire.
 */
const MAX_WAITING = 100;
// How late a slow request is detected. Node's 30 s would triple the limit for headers.
const CHECK_MS = 1_000;

/** Creates a server with a limit for every wait on a peer. It does not listen yet. */
export function createHttpServer(
  { onRequest, handshakes, onUnreadable }: HttpServerHandlers,
  limits: HttpServerLimits,
): Server {
  const options = {
    headersTimeout: limits.requestHeadersMs,
    // Node requires the limit of the whole request to be at least that of its head.
    requestTimeout: Math.max(limits.requestMs, limits.requestHeadersMs),
    keepAliveTimeout: limits.keepAliveMs,
    maxHeaderSize: limits.maxHeaderBytes,
    connectionsCheckingInterval: CHECK_MS,
    // Supported by Node since 24.9; earlier versions pass every request with an `Upgrade` header as a handshake.
    shouldUpgradeCallback: (request: IncomingMessage) => handshakes?.isHandshake(request) === true,
  };
  const listener: RequestListener = (request, response) => {
    if (hasOneHost(request)) onRequest(request, response);
    else response.writeHead(400, { Connection: 'close' }).end();
  };
  const server = createServer(options, handleInOrder(listener));
  if (handshakes !== null)
    server.on('upgrade', (request, socket, head) => {
      if (hasOneHost(request)) return handshakes.onHandshake(request, socket, head);
      // Node has detached this socket: a reset must not end the process, and nothing else closes it.
      socket.on('error', () => {}).once('finish', () => socket.destroy());
      onUnreadable(socket, 'unreadable', head);
    });
  server.timeout = limits.silentConnectionMs;
  answerUnreadable(server, onUnreadable);
  boundUnfinishedRequests(server, limits.maxUnfinishedRequests);
  return server;
}

/**
 * Handles the requests of one connection one after the other. Node calls its listener for every request in a chunk of
 * bytes, hundreds without a pause, before the first has a response; responses are sent in order anyway. Sequential
 * handling gives a pipelining connection no larger share of the server than others, and drops its unanswered requests
 * when it ends. A connection with more than `MAX_WAITING` of them is closed, because Node would continue to read.
 */
function handleInOrder(listener: RequestListener): RequestListener {
  // Waiting requests of connections with a request in progress.
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
      // Lets events of other connections run first.
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
