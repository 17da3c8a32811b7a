import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import {
  CLOSE_CODES,
  type ClientEvent,
  type CustomMap,
  type DecodedClientFrame,
  decodeClientFrame,
  type FrameFault,
  findFrameFault,
  type OptionalClientEvent,
  type OutgoingEvent,
  type Vocabulary,
} from 'natter/protocol';
import type { RawData, WebSocket } from 'ws';
import type { Clock } from './clock.ts';
import type { Delivery } from './delivery.ts';
import type { MessagingLimits } from './messaging-limits.ts';
import { transientEvent, transientSystemMessage } from './outgoing.ts';
import { PingAnswers } from './ping-answers.ts';
import { RefusedFrames } from './refused-frames.ts';
import { SocketReading } from './socket-reading.ts';
import { createTokenBucket, type TokenBucket } from './token-bucket.ts';

/** The sender of one frame, who may be answered alone. */
export interface FrameSender {
  deliver(event: OutgoingEvent): void;
  /** The frame is refused for a fault of the client's: counted, and answered at a bounded rate. Source: section 16. */
  refuse(answer: OutgoingEvent): void;
  close(code: number, reason: string): void;
}

/** The session as a socket sees it. */
export interface SessionInput {
  /** True after SESSION_END: frames are ignored without an answer (5.6). */
  readonly isOver: boolean;
  /** Without a conversation every message is refused (SYS-2). */
  readonly hasConversation: boolean;
  /** When a valid client event last arrived on any socket. */
  readonly lastActivityMs: number;
  /**
   * Takes one from the session's bucket, for any frame but a heartbeat. False when the bucket is empty: the frame is to
   * be dropped, and the sender is warned now and then. Source: section 16.
   */
  admit(custom: CustomMap | null, sender: Pick<FrameSender, 'deliver'>): boolean;
  /** A valid client event arrived; counts also when it is dropped afterwards (section 16). */
  noteActivity(): void;
  /** Remembered for the next connection. Source: V-5 (c). */
  rememberVocabulary(vocabulary: Vocabulary): void;
  /** Handles one admitted event, after those accepted before. Settles when it is stored or refused; never rejects. */
  accept(event: ClientEvent, sender: FrameSender): Promise<void>;
}

/** What a connection needs from its surroundings. */
export interface SocketConnectionOptions {
  readonly ws: WebSocket;
  /** The connection below `ws`. */
  readonly socket: Duplex;
  readonly delivery: Delivery;
  readonly session: SessionInput;
  readonly clock: Clock;
  readonly limits: MessagingLimits;
  /** The connector's setting, null for `auto`. Source: V-5 (a). */
  readonly fixedVocabulary: Vocabulary | null;
  /** What the connector's settings let clients send besides section 6. Source: TBD-3. */
  readonly optionalTypes: readonly OptionalClientEvent['type'][];
  readonly onFrame: (outcome: DecodedClientFrame['kind'] | 'heartbeat_dropped' | 'throttled') => void;
  /** Hears why a frame was refused; null: nobody listens, so the fault is not looked for. */
  readonly onFault: ((fault: FrameFault) => void) | null;
  readonly onClosed: () => void;
}

// Above this the peer is gone: two pings in a row were not answered (HB-5).
const MAX_UNANSWERED_PINGS = 2;

// How long an expiring session has for closing its sockets before they are looked at again.
const EXPIRY_HEAD_START_MS = 1_000;

/** One socket's incoming side and its liveness: frames in order and within their limits, pings, inactivity. */
export class SocketConnection {
  /** Resolves when the socket is closed, by whomever. */
  readonly closed: Promise<void>;
  readonly #options: SocketConnectionOptions;
  readonly #heartbeats: TokenBucket;
  readonly #reading: SocketReading;
  readonly #refused: RefusedFrames;
  readonly #pings: PingAnswers;
  #hasChosenVocabulary: boolean;
  #pendingFrames = 0;
  /** What the pings that were not answered yet hold. */
  #unansweredPings: Buffer[] = [];
  #lastActivityMs: number;
  #cancelPing: () => void = () => {};
  #cancelIdle: () => void = () => {};

  constructor(options: SocketConnectionOptions) {
    const { ws, socket, clock, limits } = options;
    this.#options = options;
    this.#hasChosenVocabulary = options.fixedVocabulary !== null;
    this.#heartbeats = createTokenBucket({
      capacity: Math.max(1, limits.heartbeatsPerSecond),
      refillPerSecond: limits.heartbeatsPerSecond,
    });
    this.#lastActivityMs = clock.now();
    this.#reading = new SocketReading(options);
    this.#refused = new RefusedFrames({
      clock,
      answersPerSecond: limits.refusalAnswersPerSecond,
      maxInRow: limits.maxRefusedFrames,
      answer: (event) => this.deliver(event),
      onTooMany: () => this.close(CLOSE_CODES.policyViolation, 'too many refused frames'),
    });
    this.#pings = new PingAnswers({
      clock,
      perSecond: limits.pongsPerSecond,
      answer: (data) => ws.pong(data),
    });
    socket.on('data', (chunk: Buffer) => this.#reading.noteChunk(chunk.length));
    ws.on('message', (data, isBinary) => this.#onMessage(data, isBinary));
    ws.on('ping', (data) => {
      if (this.#reading.take(data.length)) this.#pings.take(data);
    });
    ws.on('pong', (data) => {
      // One that was not asked for says nothing: a peer that reads nothing could send it as well.
      const isAsked =
        this.#reading.take(data.length) && this.#unansweredPings.some((ping) => ping.equals(data));
      if (isAsked) this.#unansweredPings = [];
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
    const { ws, session, limits, optionalTypes, onFrame, onFault } = this.#options;
    const bytes = toBuffer(data);
    if (!this.#reading.take(bytes.length)) {
      onFrame('throttled');
      return;
    }
    // `ws` goes on reading after a close from this side, until the peer has answered it.
    if (session.isOver || ws.readyState !== ws.OPEN) return;
    // A frame that is too long anyway is not worth turning into a string.
    const isReadable = bytes.length <= limits.maxFrameBytes;
    const text = isBinary ? null : isReadable ? bytes.toString('utf8') : '';
    const frame = decodeClientFrame(text, bytes.length, limits, optionalTypes);
    onFrame(frame.kind);
    if (onFault !== null && frame.kind === 'error') {
      const fault = findFrameFault(text, bytes.length, limits, optionalTypes);
      if (fault !== null) onFault(fault);
    }
    switch (frame.kind) {
      case 'close':
        this.close(frame.code, '');
        break;
      case 'error': {
        const { text, custom } = frame;
        const answer = (): OutgoingEvent =>
          transientSystemMessage(this.#options.clock.now(), 'SYSTEM_MESSAGE_LEVEL_ERROR', text, custom);
        this.#refused.refuse(session.admit(custom, this) ? answer() : null);
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
      if (this.#heartbeats.take(clock.now())) {
        this.#refused.noteAccepted();
        this.deliver(transientEvent(clock.now(), event.type, {}, event.custom));
      } else onFrame('heartbeat_dropped');
      return;
    }
    if (session.admit(event.custom, this)) this.#handIn(event);
    // The session's state is checked before its rate limit (rows 8 and 9 of 5.6), so this is a refused frame as well.
    else if (event.type === 'EVENT_TYPE_USER_MESSAGE' && !session.hasConversation) this.#refused.refuse(null);
  }

  /** Passes the event on, and stops reading from a peer that is faster than its session. */
  #handIn(event: ClientEvent): void {
    const { session, limits } = this.#options;
    this.#pendingFrames += 1;
    if (this.#pendingFrames >= limits.maxPendingFrames) this.#reading.isBehind = true;
    const takeBack = this.#refused.noteAccepted();
    const sender: FrameSender = {
      deliver: (answer) => this.deliver(answer),
      refuse: (answer) => {
        takeBack();
        this.#refused.refuse(answer);
      },
      close: (code, reason) => this.close(code, reason),
    };
    void session.accept(event, sender).finally(() => {
      this.#pendingFrames -= 1;
      if (this.#pendingFrames < limits.maxPendingFrames / 2) this.#reading.isBehind = false;
    });
  }

  #schedulePing(): void {
    const { ws, clock, limits } = this.#options;
    this.#cancelPing = clock.setTimer(() => {
      if (this.#unansweredPings.length >= MAX_UNANSWERED_PINGS) {
        ws.terminate();
        return;
      }
      const data = randomBytes(8);
      this.#unansweredPings.push(data);
      if (ws.readyState === ws.OPEN) ws.ping(data);
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
    this.#reading.stop();
    this.#refused.stop();
    this.#pings.stop();
    this.#options.delivery.stop();
    this.#options.onClosed();
  }
}

function toBuffer(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : data;
}
