import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { CLOSE_CODES, type OptionalClientEvent, SETUP_ERRORS, type SetupError } from 'natter/protocol';
import { type WebSocket, WebSocketServer } from 'ws';
import type { AccessTokens } from '../auth/access-tokens.ts';
import { correlationIdFrom } from '../http/correlation.ts';
import { refuseUpgrade } from '../http/refusal.ts';
import { Admission } from './admission.ts';
import { pause } from './clock.ts';
import type { MessagingConnector } from './connector.ts';
import { Delivery } from './delivery.ts';
import { checkHandshake, type HandshakeVerdict } from './handshake.ts';
import { createEventId, createFrameEncoder, type FrameEncoder } from './outgoing.ts';
import type { JoinedSession, SessionRegistry } from './session-registry.ts';
import type { SessionServices } from './session-services.ts';
import { toOutgoing } from './session-writer.ts';
import { SocketConnection } from './socket-connection.ts';

/** What a gateway needs. */
export interface GatewayOptions {
  readonly services: SessionServices;
  readonly tokens: AccessTokens;
  readonly registry: SessionRegistry;
}

type Accepted = Extract<HandshakeVerdict<JoinedSession>, { readonly kind: 'accepted' }>;

// Section 3.1 has no row for it: the process is on its way out, another one answers in a moment.
const SHUTTING_DOWN: SetupError = {
  status: 503,
  text: 'The service is restarting',
  code: 'SERVICE_UNAVAILABLE',
};
// Nor for this: more come at once than can be let in before they give up.
const OVERLOADED: SetupError = { ...SHUTTING_DOWN, text: 'The service is busy' };
const RETRY_AFTER_OVERLOAD_SECONDS = 5;
const RETRY_AFTER_LIMIT_SECONDS = 5;
const RETRY_AFTER_SHUTDOWN_SECONDS = 2;

/** The WebSocket side: handshakes in, sockets out. Source: messaging.md section 4. */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #server: WebSocketServer;
  readonly #frames: FrameEncoder = createFrameEncoder();
  readonly #connections = new Set<SocketConnection>();
  readonly #admission: Admission;
  #isClosing = false;

  constructor(options: GatewayOptions) {
    this.#options = options;
    const { clock, limits } = options.services;
    this.#admission = new Admission({
      clock,
      maxAtOnce: limits.handshakesAtOnce,
      maxWaiting: limits.maxWaitingHandshakes,
      maxWaitMs: limits.handshakeWaitMs,
    });
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: limits.hardMaxFrameBytes,
    });
    // A request that is no proper handshake (no key, wrong version) gets the body of every other refusal.
    this.#server.on('wsClientError', (_error, socket, request) => {
      this.#refuse(socket, correlationIdOf(request), SETUP_ERRORS.invalidConnectionParameters);
    });
  }

  get socketCount(): number {
    return this.#connections.size;
  }

  /** Handles the `upgrade` event of a server. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // A peer that goes away while its handshake is checked is nobody's error.
    const ignore = (): void => {};
    socket.on('error', ignore);
    const correlationId = correlationIdOf(request);
    this.#upgrade(request, socket, head, correlationId)
      .catch((error: unknown) => {
        this.#options.services.observer.failed('handle a handshake', error, { correlationId });
        this.#refuse(socket, correlationId, SETUP_ERRORS.internalError);
      })
      .finally(() => socket.off('error', ignore));
  }

  /** From now on handshakes are refused with 503. */
  refuseHandshakes(): void {
    this.#isClosing = true;
  }

  /** Closes every socket with 1001, spread over `jitterMs`, and waits until they are closed or that time has passed twice. */
  async close(jitterMs: number): Promise<void> {
    this.#isClosing = true;
    const { clock } = this.#options.services;
    await Promise.all(
      [...this.#connections].map(async (connection) => {
        await pause(clock, Math.random() * jitterMs);
        connection.close(CLOSE_CODES.goingAway, 'going away');
        await Promise.race([connection.closed, pause(clock, jitterMs)]);
        connection.terminate();
      }),
    );
  }

  async #upgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    correlationId: string,
  ): Promise<void> {
    if ((request.url ?? '').split('?', 1)[0] !== '/ws') {
      this.#refuse(socket, correlationId, SETUP_ERRORS.notFound);
      return;
    }
    if (this.#isClosing) {
      this.#refuse(socket, correlationId, SHUTTING_DOWN, RETRY_AFTER_SHUTDOWN_SECONDS);
      return;
    }
    if (!(await this.#admission.enter())) {
      this.#refuse(socket, correlationId, OVERLOADED, RETRY_AFTER_OVERLOAD_SECONDS);
      return;
    }
    try {
      // Whoever went away while it waited needs no answer.
      if (!socket.destroyed) await this.#letIn(request, socket, head, correlationId);
    } finally {
      this.#admission.leave();
    }
  }

  async #letIn(request: IncomingMessage, socket: Duplex, head: Buffer, correlationId: string): Promise<void> {
    const { services, tokens, registry } = this.#options;
    const verdict = await checkHandshake(request, {
      tokens,
      connectors: services.connectors,
      findSession: (sessionId) => registry.join(sessionId),
      takePlace: (sessionId) => registry.takePlace(sessionId),
    });
    if (verdict.kind === 'refused') {
      const isLimit = verdict.error.status === 429;
      this.#refuse(socket, correlationId, verdict.error, isLimit ? RETRY_AFTER_LIMIT_SECONDS : undefined);
      return;
    }
    const sessionId = verdict.parameters.sessionId;
    let isPlaceTaken = true;
    const leave = (): void => {
      if (isPlaceTaken) registry.leavePlace(sessionId);
      isPlaceTaken = false;
    };
    // The shutdown may have begun meanwhile: nobody would close a socket that slips through now.
    if (this.#isClosing) {
      leave();
      this.#refuse(socket, correlationId, SHUTTING_DOWN, RETRY_AFTER_SHUTDOWN_SECONDS);
      return;
    }
    // Until the socket is a WebSocket, its end is the only sign that the place is free again.
    socket.once('close', leave);
    this.#server.handleUpgrade(request, socket, head, (ws) => this.#open(ws, verdict, leave));
  }

  #open(ws: WebSocket, { session, connector, parameters }: Accepted, leave: () => void): void {
    const { services, registry } = this.#options;
    const { live } = session;
    const { clock, limits, observer } = services;
    const { eventVocabulary } = connector;
    const fixedVocabulary = eventVocabulary === 'auto' ? null : eventVocabulary;
    if (!parameters.isCursorValid) observer.warned('a cursor was not valid and counts as 0', live.id);
    const delivery = new Delivery({
      sessionId: live.id,
      ws,
      bus: services.bus,
      clock,
      frames: this.#frames,
      vocabulary: fixedVocabulary ?? live.facts.vocabulary ?? 'neutral',
      maxFrameBytes: limits.maxFrameBytes,
      maxBufferedBytes: limits.maxBufferedBytes,
      read: async (after, limit) => (await services.log.readAfter(live.id, after, limit)).map(toOutgoing),
      createId: () => createEventId(clock.now()),
      afterReplay: () => registry.peers.stickyEvents(live),
      onFailure: (error) => observer.failed('send events', error, { sessionId: live.id }),
      onSlowReader: () => observer.slowReaderClosed(),
    });
    const connection = new SocketConnection({
      ws,
      delivery,
      session: live,
      clock,
      limits,
      fixedVocabulary,
      optionalTypes: optionalTypes(connector),
      onFrame: (outcome) => observer.frameReceived(outcome),
      onClosed: () => {
        this.#connections.delete(connection);
        leave();
      },
    });
    this.#connections.add(connection);
    void delivery.start(parameters.cursor, session.lastSequence, session.isEnded);
  }

  #refuse(socket: Duplex, correlationId: string, error: SetupError, retryAfterSeconds?: number): void {
    this.#options.services.observer.handshakeRefused(error.code);
    refuseUpgrade(socket, {
      error,
      correlationId,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
  }
}

function correlationIdOf({ headers }: IncomingMessage): string {
  return correlationIdFrom((name) => {
    const value = headers[name.toLowerCase()];
    return Array.isArray(value) ? value[0] : value;
  });
}

/** What clients of a connector may send besides the five types of section 6. Source: TBD-3. */
function optionalTypes(connector: MessagingConnector): readonly OptionalClientEvent['type'][] {
  return [
    ...(connector.hasSurvey ? (['EVENT_TYPE_CSAT_RESPONSE'] as const) : []),
    ...(connector.hasReceipts
      ? (['EVENT_TYPE_USER_RECEIVED_MESSAGE', 'EVENT_TYPE_USER_READ_MESSAGE'] as const)
      : []),
  ];
}
