import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import {
  CLOSE_CODES,
  type ClientEvent,
  type DecodedClientFrame,
  decodeClientFrame,
  type FrameFault,
  findFrameFault,
  type OptionalClientEvent,
  type OutgoingEvent,
  type Vocabulary,
} from 'natter/protocol';
import type { RawData, WebSocket } from 'ws';
import type { Clock } from '../../kit/clock.ts';
import { findExcess } from '../../kit/http/index.ts';
import { transientEvent, transientSystemMessage } from '../conversation/index.ts';
import type { MessagingLimits } from '../messaging-limits.ts';
import type { SessionCommands } from '../sessions/commands/session-commands.ts';
import type { ReplyTarget } from '../sessions/reply-target.ts';
import type { Session } from '../sessions/session.ts';
import { createTokenBucket, type TokenBucket } from '../token-bucket.ts';
import type { FrameOutcome } from '../trace/index.ts';
import type { ByteAllowance } from './byte-allowance.ts';
import type { OutboundStream } from './outbound-stream.ts';
import { PingAnswers } from './ping-answers.ts';
import { RefusedFrames } from './refused-frames.ts';
import { SocketReading } from './socket-reading.ts';

/** The session as seen by its connections. */
export type ConnectedSession = Pick<
  Session,
  'isOver' | 'hasConversation' | 'lastActivityMs' | 'noteActivity' | 'rememberVocabulary'
> & { readonly commands: Pick<SessionCommands, 'admit' | 'warn' | 'dispatch'> };

/** Options of {@link Connection}. */
export interface ConnectionOptions {
  readonly ws: WebSocket;
  /** The stream under `ws`. */
  readonly socket: Duplex;
  readonly outbound: OutboundStream;
  readonly session: ConnectedSession;
  readonly clock: Clock;
  readonly limits: MessagingLimits;
  /** Byte allowance shared by the session's sockets. */
  readonly allowance: ByteAllowance;
  /** Counts bytes against the hourly limits of address and project; false when one is exceeded. */
  readonly takeBytes: (bytes: number) => boolean;
  /** The connector's setting, null for `auto`. Source: V-5 (a). */
  readonly fixedVocabulary: Vocabulary | null;
  /** Event types that the connector allows clients to send besides section 6. Source: TBD-3. */
  readonly optionalTypes: readonly OptionalClientEvent['type'][];
  readonly onFrame: (outcome: DecodedClientFrame['kind'] | 'heartbeat_dropped' | 'throttled') => void;
  /** Called with the reason for a rejected frame; `null` skips the diagnosis. */
  readonly onFault: ((fault: FrameFault) => void) | null;
  /** Called with the outcome of every frame; `type` is null if it was not decoded. */
  readonly onReceived: (type: string | null, bytes: number, outcome: FrameOutcome) => void;
  /** Called after a ping was sent. */
  readonly onPing: (bytes: number) => void;
  readonly onClosed: () => void;
}

// Two unanswered pings in a row mean that the peer is gone (HB-5).
const MAX_UNANSWERED_PINGS = 2;

// Time for an expiring session to close its sockets before they are checked again.
const EXPIRY_HEAD_START_MS = 1_000;

/** Receives one socket's frames in order and within limits, and checks liveness with pings and inactivity. */
export class Connection {
  /** Resolves once the socket is closed by either side. */
  readonly closed: Promise<void>;
  readonly #options: ConnectionOptions;
  readonly #heartbeats: TokenBucket;
  readonly #reading: SocketReading;
  readonly #refused: RefusedFrames;
  readonly #pings: PingAnswers;
  #hasChosenVocabulary: boolean;
  #pendingFrames = 0;
  #pendingBytes = 0;
  /** Payloads of pings still awaiting a pong. */
  #unansweredPings: Buffer[] = [];
  #lastActivityMs: number;
  #cancelPing: () => void = () => {};
  #cancelIdle: () => void = () => {};

  constructor(options: ConnectionOptions) {
    const { ws, socket, clock, limits } = options;
    this.#options = options;
    this.#hasChosenVocabulary = options.fixedVocabulary !== null;
    this.#heartbeats = createTokenBucket({
      capacity: Math.max(1, limits.heartbeatsPerSecond),
      refillPerSecond: limits.heartbeatsPerSecond,
    });
    this.#lastActivityMs = clock.now();
    this.#reading = new SocketReading({
      ...options,
      onFlood: () => this.close(CLOSE_CODES.policyViolation, 'too much is sent'),
    });
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
      if (!this.#reading.take(data.length)) return;
      options.onReceived('ping', data.length, 'accepted');
      this.#pings.take(data);
    });
    ws.on('pong', (data) => {
      // Ignore unsolicited pongs: a peer that never reads can send them too.
      const isAsked =
        this.#reading.take(data.length) && this.#unansweredPings.some((ping) => ping.equals(data));
      if (!isAsked) return;
      options.onReceived('pong', data.length, 'accepted');
      this.#unansweredPings = [];
    });
    // On a protocol error (a frame above the hard limit, invalid UTF-8), `ws` closes the socket with the appropriate
    // code; the close event then cleans up.
    ws.on('error', () => {});
    ws.on('close', () => this.#onClose());
    this.closed = new Promise((resolve) => ws.once('close', () => resolve()));
    this.#schedulePing();
    this.#scheduleIdleCheck(limits.inactivityMs);
  }

  deliver(event: OutgoingEvent): void {
    this.#options.outbound.deliver(event);
  }

  /** Closes after all frames sent so far. */
  close(code: number, reason: string): void {
    this.#options.outbound.close(code, reason);
  }

  /** Terminates the socket immediately. */
  terminate(): void {
    this.#options.ws.terminate();
  }

  #onMessage(data: RawData, isBinary: boolean): void {
    const { ws, session, limits, optionalTypes, onFrame, onFault, onReceived } = this.#options;
    const bytes = toBuffer(data);
    if (!this.#reading.take(bytes.length)) {
      onFrame('throttled');
      onReceived(null, bytes.length, 'unread');
      return;
    }
    // `ws` keeps reading after a local close until the peer has answered it.
    if (session.isOver || ws.readyState !== ws.OPEN) return;
    const text = isBinary ? null : readText(bytes, limits.hardMaxFrameBytes);
    const frame = decodeClientFrame(text, bytes.length, limits, optionalTypes);
    onFrame(frame.kind);
    if (onFault !== null && frame.kind === 'error') {
      const fault = findFrameFault(text, bytes.length, limits, optionalTypes);
      if (fault !== null) onFault(fault);
    }
    switch (frame.kind) {
      case 'close':
        onReceived(null, bytes.length, 'refused');
        this.close(frame.code, '');
        break;
      case 'error': {
        const { text, custom } = frame;
        onReceived(null, bytes.length, 'refused');
        const answer = (): OutgoingEvent =>
          transientSystemMessage(this.#options.clock.now(), 'SYSTEM_MESSAGE_LEVEL_ERROR', text, custom);
        this.#refused.refuse(session.commands.admit(custom, this) ? answer() : null);
        break;
      }
      case 'accept':
        this.#onEvent(frame.event, frame.sentVocabulary, bytes.length);
        break;
    }
  }

  #onEvent(event: ClientEvent, sentVocabulary: Vocabulary | null, bytes: number): void {
    const { clock, session, outbound, limits, takeBytes, onFrame, onReceived } = this.#options;
    this.#lastActivityMs = clock.now();
    session.noteActivity();
    if (sentVocabulary !== null && !this.#hasChosenVocabulary) {
      this.#hasChosenVocabulary = true;
      outbound.vocabulary = sentVocabulary;
      session.rememberVocabulary(sentVocabulary);
    }
    if (event.type === 'EVENT_TYPE_HEARTBEAT') {
      const isAnswered = this.#heartbeats.take(clock.now());
      onReceived(event.type, bytes, isAnswered ? 'accepted' : 'limited');
      if (isAnswered) {
        this.#refused.noteAccepted();
        this.deliver(transientEvent(clock.now(), event.type, {}, event.custom));
      } else onFrame('heartbeat_dropped');
      return;
    }
    const isAdmitted = session.commands.admit(event.custom, this);
    onReceived(event.type, bytes, isAdmitted ? 'accepted' : 'limited');
    if (!isAdmitted) {
      // State is checked before the rate limit (rows 8 and 9 of 5.6), so this counts as a refused frame too.
      if (event.type === 'EVENT_TYPE_USER_MESSAGE' && !session.hasConversation) this.#refused.refuse(null);
      return;
    }
    if (!takeBytes(bytes)) {
      session.commands.warn(event.custom, this);
      return;
    }
    // Pauses reading from a peer that is faster than its session.
    this.#pendingFrames += 1;
    this.#pendingBytes += bytes;
    const isFull = this.#pendingFrames >= limits.maxPendingFrames;
    if (isFull || this.#pendingBytes >= limits.maxPendingBytes) this.#reading.isBehind = true;
    const takeBack = this.#refused.noteAccepted();
    const reply: ReplyTarget = {
      deliver: (answer) => this.deliver(answer),
      refuse: (answer) => {
        takeBack();
        this.#refused.refuse(answer);
      },
      close: (code, reason) => this.close(code, reason),
    };
    void session.commands.dispatch(event, reply).finally(() => {
      this.#pendingFrames -= 1;
      this.#pendingBytes -= bytes;
      const isHalfEmpty = this.#pendingFrames < limits.maxPendingFrames / 2;
      if (isHalfEmpty && this.#pendingBytes < limits.maxPendingBytes / 2) this.#reading.isBehind = false;
    });
  }

  #schedulePing(): void {
    const { ws, clock, limits, onPing } = this.#options;
    this.#cancelPing = clock.setTimer(() => {
      if (this.#unansweredPings.length >= MAX_UNANSWERED_PINGS) {
        ws.terminate();
        return;
      }
      const data = randomBytes(8);
      this.#unansweredPings.push(data);
      if (ws.readyState === ws.OPEN) {
        ws.ping(data);
        onPing(data.length);
      }
      this.#schedulePing();
    }, limits.pingIntervalMs);
  }

  /** Source: HB-3, the per-socket rule. */
  #scheduleIdleCheck(delayMs: number): void {
    const { clock, limits, session } = this.#options;
    this.#cancelIdle = clock.setTimer(() => {
      const idleMs = clock.now() - this.#lastActivityMs;
      const sessionIdleMs = clock.now() - session.lastActivityMs;
      if (idleMs < limits.inactivityMs) this.#scheduleIdleCheck(limits.inactivityMs - idleMs);
      // If the whole session is idle it expires now, and its close (HB-4) must come first.
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
    this.#options.outbound.stop();
    this.#options.onClosed();
  }
}

/** Decodes a frame. Frames above a limit of size, depth or fields yield an empty text, which is refused as invalid JSON. */
function readText(bytes: Buffer, maxBytes: number): string {
  if (bytes.length > maxBytes) return '';
  const text = bytes.toString('utf8');
  return findExcess(text) === null ? text : '';
}

function toBuffer(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : data;
}
