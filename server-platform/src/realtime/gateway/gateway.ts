import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { CLOSE_CODES, SETUP_ERRORS, type SetupError, SYSTEM_TEXTS } from 'natter/protocol';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import type { AccessTokens, AuthFailureLimiter } from '../../accounts/tokens/index.ts';
import { createEventId } from '../../db/ids/index.ts';
import {
  CORRELATION_HEADER,
  clientAddress,
  correlationIdFrom,
  type LimitVerdict,
  refuseUpgrade,
} from '../../kit/http/index.ts';
import { optionalTypes, transientSystemMessage } from '../conversation/index.ts';
import type { MessagingContext } from '../messaging-context.ts';
import type { JoinedSession, SessionManager } from '../sessions/session-manager.ts';
import { ByteAllowance } from './byte-allowance.ts';
import { Connection } from './connection.ts';
import { createEventReader, type EventReader } from './event-reader.ts';
import { createFrameEncoder, type FrameEncoder } from './frame-encoder.ts';
import { checkHandshake, type HandshakeVerdict, readHandshakeParameters } from './handshake.ts';
import { HandshakeLimiter } from './handshake-limiter.ts';
import { HourlyBytes } from './hourly-bytes.ts';
import { OpenConnections } from './open-connections.ts';
import { OutboundStream } from './outbound-stream.ts';
import { RevocationWatch } from './revocation-watch.ts';
import type { SetupWatch } from './setup-watch.ts';

/** Options of {@link Gateway}. */
export interface GatewayOptions {
  readonly context: MessagingContext;
  readonly tokens: AccessTokens;
  readonly manager: SessionManager;
  /** Counts unknown access tokens. */
  readonly guesses: AuthFailureLimiter;
  /** Number of reverse proxies in front that write `X-Forwarded-For`. */
  readonly trustedProxyHops: number;
  readonly setup: Pick<SetupWatch, 'hostRefused' | 'handshakeArrived'>;
}

type Accepted = Extract<HandshakeVerdict<JoinedSession>, { readonly kind: 'accepted' }>;

// Not in section 3.1: the process is shutting down, and another one will answer shortly.
const SHUTTING_DOWN: SetupError = {
  status: 503,
  text: 'The service is restarting',
  code: 'SERVICE_UNAVAILABLE',
};
// Not in section 3.1 either: more handshakes arrive than can be checked before their clients give up.
const OVERLOADED: SetupError = { ...SHUTTING_DOWN, text: 'The service is busy' };
const RETRY_AFTER_OVERLOAD_SECONDS = 5;
const RETRY_AFTER_LIMIT_SECONDS = 5;
const RETRY_AFTER_SHUTDOWN_SECONDS = 2;
// Precedes the path when a proxy sends an absolute URL (RFC 9112, 3.2.2).
const ABSOLUTE_FORM = /^https?:\/\/[^/?]*/i;
// Fragments per message. Clients send one, proxies split the largest message into a few hundred; each takes memory.
const MAX_FRAGMENTS = 1_024;
// A peer that does not answer a close is disconnected after this time.
const CLOSE_TIMEOUT_MS = 10_000;

/** The WebSocket server: checks handshakes and connects sockets to sessions. Source: messaging.md section 4. */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #server: WebSocketServer;
  readonly #frames: FrameEncoder = createFrameEncoder();
  readonly #readEvents: EventReader;
  readonly #connections: OpenConnections;
  /** By session, for as long as it is in memory. */
  readonly #allowances = new WeakMap<object, ByteAllowance>();
  readonly #addressBytes: HourlyBytes;
  readonly #projectBytes: HourlyBytes;
  readonly #revocations: RevocationWatch;
  readonly #handshakes: HandshakeLimiter;
  /** Number of the last opened socket, which identifies sockets in traces. */
  #lastSocket = 0;
  #isClosing = false;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#readEvents = createEventReader(options.context.log);
    const { clock, limits } = options.context;
    this.#connections = new OpenConnections(clock);
    this.#addressBytes = new HourlyBytes(clock, limits.addressBytesPerHour);
    this.#projectBytes = new HourlyBytes(clock, limits.projectBytesPerHour);
    this.#handshakes = new HandshakeLimiter({
      clock,
      maxAtOnce: limits.handshakesAtOnce,
      maxWaiting: limits.maxWaitingHandshakes,
      maxWaitMs: limits.handshakeWaitMs,
    });
    const settings: ServerOptions & { readonly closeTimeout: number } = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: limits.hardMaxFrameBytes,
      // Source: WS-1.
      handleProtocols: () => false,
      // `Connection` answers pings at a limited rate.
      autoPong: false,
      maxFragments: MAX_FRAGMENTS,
      closeTimeout: CLOSE_TIMEOUT_MS,
    };
    this.#server = new WebSocketServer(settings);
    // Source: HTTP-2.
    this.#server.on('headers', (lines, request) => {
      lines.push(`${CORRELATION_HEADER}: ${correlationIdOf(request)}`);
    });
    this.#revocations = new RevocationWatch({
      clock,
      connectors: options.context.connectors,
      sockets: () => this.#connections.sockets(),
      onFailure: (error) => options.context.observer.failed('check for revoked connectors', error),
    });
    this.#revocations.start();
    // An invalid handshake (no key, wrong version) gets the same body as every other refusal.
    this.#server.on('wsClientError', (_error, socket, request) => {
      this.#refuse(socket, correlationIdOf(request), SETUP_ERRORS.invalidConnectionParameters);
    });
  }

  get socketCount(): number {
    return this.#connections.size;
  }

  /** Handles the `upgrade` event of a server. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Stays attached for the socket's lifetime: a reset between check and response emits an `error` event, and an
    // unhandled one would end the process. The `close` event then cleans up.
    socket.on('error', () => {});
    const correlationId = correlationIdOf(request);
    this.#upgrade(request, socket, head, correlationId).catch((error: unknown) => {
      this.#options.context.observer.failed('handle a handshake', error, { correlationId });
      this.#refuse(socket, correlationId, SETUP_ERRORS.internalError);
    });
  }

  /** Refuses all further handshakes with 503. */
  refuseHandshakes(): void {
    this.#isClosing = true;
  }

  /** Closes a session's sockets with 1001. Resolves when they are closed or their time is up. */
  closeSession(sessionId: string): Promise<void> {
    return this.#connections.closeSession(sessionId);
  }

  /** Closes all sockets in the same way. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#revocations.stop();
    await this.#connections.close();
  }

  async #upgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    correlationId: string,
  ): Promise<void> {
    const [path] = (request.url ?? '').replace(ABSOLUTE_FORM, '').split('?', 1);
    if (path !== '/ws') {
      this.#refuse(socket, correlationId, SETUP_ERRORS.notFound);
      return;
    }
    if (request.method !== 'GET') {
      this.#refuse(socket, correlationId, SETUP_ERRORS.methodNotAllowed);
      return;
    }
    if (this.#isClosing) {
      this.#refuse(socket, correlationId, SHUTTING_DOWN, RETRY_AFTER_SHUTDOWN_SECONDS);
      return;
    }
    const gone = new AbortController();
    socket.once('close', () => gone.abort());
    if (!(await this.#handshakes.acquire(gone.signal))) {
      this.#refuse(socket, correlationId, OVERLOADED, RETRY_AFTER_OVERLOAD_SECONDS);
      return;
    }
    try {
      // A peer that disconnected while waiting needs no response.
      if (!socket.destroyed) await this.#letIn(request, socket, head, correlationId);
    } finally {
      this.#handshakes.release();
    }
  }

  async #letIn(request: IncomingMessage, socket: Duplex, head: Buffer, correlationId: string): Promise<void> {
    const { context, tokens, manager, setup } = this.#options;
    const verdict = await checkHandshake(request, {
      tokens,
      connectors: context.connectors,
      findSession: (sessionId, connector) => manager.join(sessionId, connector),
      onOrigin(connector, origin, isAllowed) {
        setup.handshakeArrived(connector.id);
        if (!isAllowed) setup.hostRefused(connector, 'Origin', origin ?? '');
      },
      reserveSlot: ({ id }) => manager.reserveSlot(id),
    });
    if (verdict.kind === 'refused') {
      const limit = verdict.isGuess ? await this.#countGuess(request) : null;
      if (limit?.allowed === false) {
        this.#refuse(socket, correlationId, SETUP_ERRORS.rateLimited, limit.retryAfterSeconds);
        return;
      }
      const isLimit = verdict.error.status === 429;
      const retryAfterSeconds = isLimit ? RETRY_AFTER_LIMIT_SECONDS : undefined;
      this.#refuse(socket, correlationId, verdict.error, retryAfterSeconds, sessionIdOf(request));
      return;
    }
    const { slot } = verdict;
    socket.once('close', slot.release);
    // The `close` event of a socket that was reset during the check has already fired.
    if (socket.destroyed) slot.release();
    // A shutdown that began meanwhile would not close a socket accepted now.
    else if (this.#isClosing)
      this.#refuse(socket, correlationId, SHUTTING_DOWN, RETRY_AFTER_SHUTDOWN_SECONDS);
    else {
      const address = this.#addressOf(request);
      this.#server.handleUpgrade(request, socket, head, (ws) => this.#open(ws, socket, verdict, address));
    }
  }

  #open(
    ws: WebSocket,
    socket: Duplex,
    { session: joined, connector, host, parameters }: Accepted,
    address: string,
  ): void {
    const { context, manager } = this.#options;
    const { session } = joined;
    const { clock, limits, observer } = context;
    const { frameRefused = null } = observer;
    const { eventVocabulary } = connector;
    const fixedVocabulary = eventVocabulary === 'auto' ? null : eventVocabulary;
    if (!parameters.isCursorValid) observer.warned('invalid cursor, reading from 0', session.id);
    this.#lastSocket += 1;
    const number = this.#lastSocket;
    const sent = (type: string, bytes: number): void =>
      observer.happened(session.id, { kind: 'frame_sent', socket: number, type, bytes });
    observer.happened(session.id, { kind: 'socket_opened', socket: number, cursor: parameters.cursor });
    const outbound = new OutboundStream({
      sessionId: session.id,
      ws,
      socket,
      bus: context.bus,
      clock,
      frames: this.#frames,
      vocabulary: fixedVocabulary ?? session.row.vocabulary ?? 'neutral',
      maxFrameBytes: limits.maxFrameBytes,
      maxBufferedBytes: limits.maxBufferedBytes,
      read: (after, limit) => this.#readEvents(session.id, after, limit),
      createId: () => createEventId(clock.now()),
      afterReplay: () => manager.rpc.stateEvents(session),
      onFailure: (error) => observer.failed('send events', error, { sessionId: session.id }),
      onSlowReader: () => observer.slowReaderClosed(),
      onSent: sent,
    });
    const connection = new Connection({
      ws,
      socket,
      outbound,
      session,
      clock,
      limits,
      allowance: this.#allowanceOf(session),
      takeBytes: (bytes) =>
        this.#addressBytes.take(address, bytes) && this.#projectBytes.take(connector.projectId, bytes),
      fixedVocabulary,
      optionalTypes: optionalTypes(connector),
      onFrame: (outcome) => observer.frameReceived(outcome),
      onReceived: (type, bytes, outcome) =>
        observer.happened(session.id, { kind: 'frame_received', socket: number, type, bytes, outcome }),
      onPing: (bytes) => sent('ping', bytes),
      onFault: frameRefused === null ? null : (fault) => frameRefused(fault, session.id),
      onClosed: () => this.#connections.remove(connection, session.id),
    });
    observer.socketOpened?.();
    ws.once('close', (code) => {
      observer.socketClosed?.(code);
      observer.happened(session.id, { kind: 'socket_closed', socket: number, code });
    });
    this.#connections.add(connection, session.id, {
      connectorId: connector.id,
      host,
      onRevoked: () => {
        // The close code makes the client create another session; this error reports that none is available. Source:
        // 12.1.
        connection.deliver(
          transientSystemMessage(
            clock.now(),
            'SYSTEM_MESSAGE_LEVEL_ERROR',
            SYSTEM_TEXTS.connectorNotFound,
            null,
          ),
        );
        connection.close(CLOSE_CODES.sessionRejected, 'connector revoked');
      },
    });
    void outbound.start(parameters.cursor, joined.lastSequence, joined.isEnded);
  }

  #allowanceOf(session: JoinedSession['session']): ByteAllowance {
    const known = this.#allowances.get(session);
    if (known !== undefined) return known;
    const allowance = new ByteAllowance(this.#options.context);
    this.#allowances.set(session, allowance);
    return allowance;
  }

  #countGuess(request: IncomingMessage): Promise<LimitVerdict> {
    return this.#options.guesses.countAddress(this.#addressOf(request));
  }

  #addressOf({ socket, headers }: IncomingMessage): string {
    const forwardedFor = headers['x-forwarded-for'];
    const chain = Array.isArray(forwardedFor) ? forwardedFor.join(',') : (forwardedFor ?? null);
    return clientAddress(socket.remoteAddress, chain, this.#options.trustedProxyHops);
  }

  /** `sessionId` as requested, if it was read. */
  #refuse(
    socket: Duplex,
    correlationId: string,
    error: SetupError,
    retryAfterSeconds?: number,
    sessionId: string | null = null,
  ): void {
    if (socket.destroyed) return;
    this.#options.context.observer.handshakeRefused(error.code, sessionId);
    refuseUpgrade(socket, {
      error,
      correlationId,
      // A client of another version may retry with this one (RFC 6455, 4.4).
      headers: { 'Sec-WebSocket-Version': '13', ...(error.status === 405 && { Allow: 'GET' }) },
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
  }
}

/** Returns the id in its stored form: clients may send it in upper case. */
function sessionIdOf({ url = '' }: IncomingMessage): string | null {
  return readHandshakeParameters(url)?.sessionId.toLowerCase() ?? null;
}

function correlationIdOf({ headers }: IncomingMessage): string {
  return correlationIdFrom((name) => {
    const value = headers[name.toLowerCase()];
    return Array.isArray(value) ? value[0] : value;
  });
}
