import type { IncomingMessage } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { findClientAddress, toAddressKey } from '@natter/sdk';
import { answerFailure, readCorrelationId } from '../http/answers.ts';
import { logAnswer } from '../http/log-answer.ts';
import { admitOrigin } from '../http/origin-policy.ts';
import { UNKNOWN_CLIENT } from '../http/request-limits.ts';
import { DEFAULT_RETRY_AFTER_MS } from '../kit/retry-policy.ts';
import type { ProxyContext } from '../proxy-context.ts';
import { ProxyFailure, toProxyFailure } from '../proxy-failure.ts';
import { type JoinedSockets, joinSockets } from './join-sockets.ts';
import { acceptOf, openPlatformSocket } from './open-platform-socket.ts';
import { DEFAULT_RELAY_SOCKETS, type RelayOptions } from './relay-options.ts';
import type { RelayTickets } from './relay-tickets.ts';
import { createSocketBounds } from './socket-bounds.ts';

/** The relay of one proxy. */
export interface Relay {
  /** Whether a request opens a socket of the relay. */
  isHandshake(request: IncomingMessage): boolean;
  /** Handles the `upgrade` event of a server. Never throws. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Accepts no more sockets, ends the open ones, and resolves when all are closed. */
  close(): Promise<void>;
}

/** Time between closing the first and the last socket, so that visitors do not all reconnect at once. */
const MAX_SPREAD_MS = 2_000;
const SPREAD_PER_SOCKET_MS = 1;
/** Time limit for a peer that does not read its close frame. */
const CLOSE_GRACE_MS = 3_000;

const KEY = /^[A-Za-z0-9+/]{22}==$/;
/** A longer cursor counts as none. Source: CUR-2. */
const CURSOR = /^[\w:]{1,24}$/;

const ROUTE = 'socket';

/** Both sockets of an accepted handshake. */
interface Opened {
  readonly browser: Socket;
  readonly platform: Socket;
  readonly note: { readonly correlationId: string; readonly route: string };
  /** Releases the slot of the open socket. */
  readonly release: () => void;
}

/** Makes the relay, which opens the socket upstream before it agrees to the browser's handshake. */
export function createRelay(
  proxy: ProxyContext,
  relayTickets: RelayTickets,
  { relaySocketsPerClient, relaySocketsTotal }: RelayOptions,
): Relay {
  const { options, clock, log, limits, upstream } = proxy;
  const path = `${options.basePath ?? ''}/v1/ws`;
  const bounds = createSocketBounds(
    relaySocketsPerClient ?? DEFAULT_RELAY_SOCKETS.perClient,
    relaySocketsTotal ?? DEFAULT_RELAY_SOCKETS.total,
  );
  const closing = new AbortController();
  /** Running handshakes and sockets, each until its slot is released. */
  const running = new Set<Promise<void>>();
  const joined = new Set<JoinedSockets>();

  const isHandshake = ({ method, url, headers }: IncomingMessage): boolean =>
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    (url ?? '').split('?', 1)[0] === path;

  /** Opens the platform's socket and accepts the browser's. Resolves with `null` if it was refused. Never rejects. */
  async function open(request: IncomingMessage, browser: Socket, head: Buffer): Promise<Opened | null> {
    const startedAtMs = clock.now();
    let note = { correlationId: '', route: ROUTE };
    let release = (): void => {};
    try {
      const headers = readHeaders(request);
      note = { correlationId: readCorrelationId(headers), route: ROUTE };
      if (!isHandshake(request)) throw new ProxyFailure('NOT_FOUND', 'No socket is opened at this path.');
      const key = readKey(headers);
      const origin = admitOrigin(headers, proxy.origins);
      const forwardedFor = headers.get('x-forwarded-for');
      const visitor = findClientAddress(browser.remoteAddress, forwardedFor, options.trustedProxyHops ?? 0);
      const clientKey = visitor === null ? null : toAddressKey(visitor);
      release = bounds.take(clientKey ?? UNKNOWN_CLIENT);
      const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
      const session = await relayTickets.open(searchParams.get('ticket') ?? '', origin);
      if (session === null || (await proxy.tickets.isRevoked(session.sessionId))) {
        // A valid ticket was counted when it was issued.
        await limits.admit('resume', clientKey);
        throw refuseTicket();
      }
      const cursor = searchParams.get('cursor') ?? '';
      const parameters = new URLSearchParams({
        session_id: session.sessionId,
        access_token: session.accessToken,
        ...(CURSOR.test(cursor) && { cursor }),
      });
      const gone = watchLeaving(browser);
      const platform = await openPlatformSocket({
        url: `${proxy.websocketUrl.replace(/^ws/, 'http')}?${parameters}`,
        key,
        headers: {
          'User-Agent': upstream.userAgent,
          [upstream.correlationHeader]: note.correlationId,
          ...(origin !== null && { Origin: origin }),
          ...(visitor !== null && { 'X-Forwarded-For': visitor }),
        },
        timeoutMs: upstream.attemptTimeoutMs,
        signal: AbortSignal.any([gone.signal, closing.signal]),
      });
      gone.stop();
      if (gone.signal.aborted || closing.signal.aborted) {
        platform.destroy();
        throw goingAway();
      }
      logAnswer(proxy, note, startedAtMs, 101, null);
      accept(browser, key);
      if (head.length > 0) browser.unshift(head);
      return { browser, platform, note, release };
    } catch (error) {
      release();
      const failure = closing.signal.aborted ? goingAway() : toProxyFailure(error, proxy.describeFault);
      const response = answerFailure({ correlationId: note.correlationId, origin: null }, failure);
      logAnswer(proxy, note, startedAtMs, response.status, failure);
      await writeResponse(browser, response);
      return null;
    }
  }

  /** Resolves when both sockets are closed. */
  function carry({ browser, platform, note, release }: Opened): Promise<void> {
    const openedAtMs = clock.now();
    return new Promise((resolve) => {
      const pair = joinSockets(browser, platform, (closedBy) => {
        joined.delete(pair);
        release();
        const { bytesRead: bytesReceived, bytesWritten: bytesSent } = browser;
        const durationMs = clock.now() - openedAtMs;
        log.info({ ...note, closedBy, durationMs, bytesReceived, bytesSent }, 'socket closed');
        resolve();
      });
      joined.add(pair);
    });
  }

  return {
    isHandshake,
    handleUpgrade(request, socket, head) {
      // Stays attached for the socket's lifetime, because an unhandled reset would end the process.
      socket.on('error', () => {});
      // Servers of this package listen on TCP.
      const run = open(request, socket as Socket, head).then((opened) =>
        opened === null ? undefined : carry(opened),
      );
      running.add(run);
      void run.finally(() => running.delete(run));
    },
    async close() {
      closing.abort();
      const spreadMs = Math.min(joined.size * SPREAD_PER_SOCKET_MS, MAX_SPREAD_MS);
      const timers = [...joined].map((pair, index) =>
        setTimeout(() => pair.goAway(), (spreadMs * index) / joined.size),
      );
      timers.push(
        setTimeout(() => {
          for (const pair of joined) pair.destroy();
        }, spreadMs + CLOSE_GRACE_MS),
      );
      await Promise.all(running);
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** Time limit for a peer to read its refusal. */
const LINGER_MS = 5_000;

/** Writes a response to a socket that is detached from its HTTP server, and ends it. */
async function writeResponse(socket: Socket, response: Response): Promise<void> {
  const body = await response.text();
  const headers = [
    ...response.headers,
    ['Content-Length', Buffer.byteLength(body)],
    ['Connection', 'close'],
    // A client of another version may retry with this one (RFC 6455, 4.4).
    ['Sec-WebSocket-Version', '13'],
  ];
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const status = `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ''}`;
  socket.end(`${[status, ...lines].join('\r\n')}\r\n\r\n${body}`);
  socket.setTimeout(LINGER_MS, () => socket.destroy());
  socket.once('finish', () => socket.destroy());
}

function readHeaders({ headers }: IncomingMessage): Headers {
  const entries = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return new Headers(entries as [string, string][]);
}

/** Source: RFC 6455, 4.2.1. */
function readKey(headers: Headers): string {
  const key = headers.get('sec-websocket-key') ?? '';
  if (headers.get('sec-websocket-version') === '13' && KEY.test(key)) return key;
  throw new ProxyFailure('INVALID_REQUEST', 'This is not a WebSocket handshake of version 13.');
}

/**
 * Aborts its signal when the peer ends or resets the connection. `stop` leaves the socket's bytes to another reader.
 */
function watchLeaving(socket: Socket): { readonly signal: AbortSignal; readonly stop: () => void } {
  const gone = new AbortController();
  const abort = (): void => gone.abort();
  // Reading nothing is the way to notice an end.
  const look = (): void => void socket.read(0);
  socket.on('readable', look).once('end', abort).once('close', abort);
  if (socket.destroyed) abort();
  return { signal: gone.signal, stop: () => void socket.off('readable', look) };
}

function accept(browser: Socket, key: string): void {
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${acceptOf(key)}`,
  ];
  browser.write(`${lines.join('\r\n')}\r\n\r\n`);
}

// The same text for every reason, because naming the failed check would only help a forger.
const refuseTicket = (): ProxyFailure =>
  new ProxyFailure(
    'RELAY_TICKET_INVALID',
    'This relay ticket is invalid or was used. Request a new one from /v1/relay for each socket.',
  );

const goingAway = (): ProxyFailure =>
  new ProxyFailure('UPSTREAM_UNAVAILABLE', 'The chat service is restarting. Try again shortly.', {
    retryAfterMs: DEFAULT_RETRY_AFTER_MS,
    logFields: { reason: 'the proxy shuts down, or the caller went away' },
  });
