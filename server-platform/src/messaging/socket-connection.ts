import {
  CLOSE_CODES,
  type ClientEvent,
  type DecodedClientFrame,
  decodeClientFrame,
  type OptionalClientEvent,
  type OutgoingEvent,
  type Vocabulary,
} from 'natter/protocol';
import type { RawData, WebSocket } from 'ws';
import type { Clock } from './clock.ts';
import type { Delivery } from './delivery.ts';
import type { MessagingLimits } from './messaging-limits.ts';
import { transientEvent, transientSystemMessage } from './outgoing.ts';
import { createTokenBucket, type TokenBucket } from './token-bucket.ts';

/** Whoever may be answered alone: the sender of a frame. */
export interface FrameSender {
  deliver(event: OutgoingEvent): void;
  close(code: number, reason: string): void;
}

/** The session as a socket sees it. */
export interface SessionInput {
  /** True after SESSION_END: frames are ignored without an answer (5.6). */
  readonly isOver: boolean;
  /** When a valid client event last arrived on any socket. */
  readonly lastActivityMs: number;
  /** A valid client event arrived; counts also when it is dropped afterwards (section 16). */
  noteActivity(): void;
  /** Remembered for the next connection. Source: V-5 (c). */
  rememberVocabulary(vocabulary: Vocabulary): void;
  /** Handles one event, after those accepted before. Settles when it is stored or refused; never rejects. */
  accept(event: ClientEvent, sender: FrameSender): Promise<void>;
}

/** What a connection needs from its surroundings. */
export interface SocketConnectionOptions {
  readonly ws: WebSocket;
  readonly delivery: Delivery;
  readonly session: SessionInput;
  readonly clock: Clock;
  readonly limits: MessagingLimits;
  /** The connector's setting, null for `auto`. Source: V-5 (a). */
  readonly fixedVocabulary: Vocabulary | null;
  /** What the connector's settings let clients send besides section 6. Source: TBD-3. */
  readonly optionalTypes: readonly OptionalClientEvent['type'][];
  readonly onFrame: (outcome: DecodedClientFrame['kind'] | 'heartbeat_dropped') => void;
  readonly onClosed: () => void;
}

// Above this the peer is gone: two pings in a row were not answered (HB-5).
const MAX_UNANSWERED_PINGS = 2;

// How long an expiring session has for closing its sockets before they are looked at again.
const EXPIRY_HEAD_START_MS = 1_000;

/** One socket's incoming side and its liveness: frames in order, pings, inactivity. */
export class SocketConnection implements FrameSender {
  /** Resolves when the socket is closed, by whomever. */
  readonly closed: Promise<void>;
  readonly #options: SocketConnectionOptions;
  readonly #heartbeats: TokenBucket;
  #hasChosenVocabulary: boolean;
  #pendingFrames = 0;
  #unansweredPings = 0;
  #lastActivityMs: number;
  #cancelPing: () => void = () => {};
  #cancelIdle: () => void = () => {};

  constructor(options: SocketConnectionOptions) {
    const { ws, clock, limits } = options;
    this.#options = options;
    this.#hasChosenVocabulary = options.fixedVocabulary !== null;
    this.#heartbeats = createTokenBucket({
      capacity: Math.max(1, limits.heartbeatsPerSecond),
      refillPerSecond: limits.heartbeatsPerSecond,
    });
    this.#lastActivityMs = clock.now();
    ws.on('message', (data, isBinary) => this.#onMessage(data, isBinary));
    ws.on('pong', () => {
      this.#unansweredPings = 0;
    });
    // A peer's protocol error (a frame above the hard limit, text that is not UTF-8) makes `ws` close by itself with the
    // fitting code; the close event follows and does the rest.
    ws.on('error', () => {});
    ws.on('close', () => this.#onClose());
    this.closed = new Promise((resolve) => ws.once('close', () => resolve()));
    this.#schedulePing();
    this.#scheduleIdleCheck(limits.inactivityMs);
  }

  deliver(event: OutgoingEvent): void {
    this.#options.delivery.deliver(event);
  }

  /** Closes after everything sent so far. */
  close(code: number, reason: string): void {
    this.#options.delivery.close(code, reason);
  }

  /** Drops the socket at once. */
  terminate(): void {
    this.#options.ws.terminate();
  }

  #onMessage(data: RawData, isBinary: boolean): void {
    const { session, limits, onFrame } = this.#options;
    if (session.isOver) return;
    const bytes = toBuffer(data);
    // A frame that is too long anyway is not worth turning into a string.
    const isReadable = !isBinary && bytes.length <= limits.maxFrameBytes;
    const text = isBinary ? null : isReadable ? bytes.toString('utf8') : '';
    const frame = decodeClientFrame(
      text,
      bytes.length,
      { maxFrameBytes: limits.maxFrameBytes, hardMaxFrameBytes: limits.hardMaxFrameBytes },
      this.#options.optionalTypes,
    );
    onFrame(frame.kind);
    switch (frame.kind) {
      case 'close':
        this.close(frame.code, '');
        break;
      case 'error': {
        const nowMs = this.#options.clock.now();
        this.deliver(transientSystemMessage(nowMs, 'SYSTEM_MESSAGE_LEVEL_ERROR', frame.text, frame.custom));
        break;
      }
      case 'accept':
        this.#onEvent(frame.event, frame.sentVocabulary);
        break;
    }
  }

  #onEvent(event: ClientEvent, sentVocabulary: Vocabulary | null): void {
    const { clock, session, delivery, onFrame } = this.#options;
    this.#lastActivityMs = clock.now();
    session.noteActivity();
    if (sentVocabulary !== null && !this.#hasChosenVocabulary) {
      this.#hasChosenVocabulary = true;
      delivery.vocabulary = sentVocabulary;
      session.rememberVocabulary(sentVocabulary);
    }
    if (event.type === 'EVENT_TYPE_HEARTBEAT') {
      if (this.#heartbeats.take(clock.now()))
        this.deliver(transientEvent(clock.now(), event.type, {}, event.custom));
      else onFrame('heartbeat_dropped');
      return;
    }
    this.#handIn(event);
  }

  /** Passes the event on, and stops reading from a peer that is faster than its session. */
  #handIn(event: ClientEvent): void {
    const { ws, session, limits } = this.#options;
    this.#pendingFrames += 1;
    if (this.#pendingFrames >= limits.maxPendingFrames) ws.pause();
    void session.accept(event, this).finally(() => {
      this.#pendingFrames -= 1;
      if (ws.isPaused && this.#pendingFrames < limits.maxPendingFrames / 2) ws.resume();
    });
  }

  #schedulePing(): void {
    const { ws, clock, limits } = this.#options;
    this.#cancelPing = clock.setTimer(() => {
      if (this.#unansweredPings >= MAX_UNANSWERED_PINGS) {
        ws.terminate();
        return;
      }
      this.#unansweredPings += 1;
      if (ws.readyState === ws.OPEN) ws.ping();
      this.#schedulePing();
    }, limits.pingIntervalMs);
  }

  /** Source: HB-3, the rule per socket. */
  #scheduleIdleCheck(delayMs: number): void {
    const { clock, limits, session } = this.#options;
    this.#cancelIdle = clock.setTimer(() => {
      const idleMs = clock.now() - this.#lastActivityMs;
      const sessionIdleMs = clock.now() - session.lastActivityMs;
      if (idleMs < limits.inactivityMs) this.#scheduleIdleCheck(limits.inactivityMs - idleMs);
      // When the whole session is idle it expires now, and that close (HB-4) must win over this one.
      else if (sessionIdleMs >= limits.inactivityMs) this.#scheduleIdleCheck(EXPIRY_HEAD_START_MS);
      else this.close(CLOSE_CODES.goingAway, 'idle');
    }, delayMs);
  }

  #onClose(): void {
    this.#cancelPing();
    this.#cancelIdle();
    this.#options.delivery.stop();
    this.#options.onClosed();
  }
}

function toBuffer(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : data;
}
