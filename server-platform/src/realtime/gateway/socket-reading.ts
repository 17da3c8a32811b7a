import { workInTurns } from '@natter/server-kit/work-in-turns';
import type { WebSocket } from 'ws';
import type { Clock } from '../../kit/clock.ts';
import type { MessagingLimits } from '../messaging-limits.ts';
import type { ByteAllowance } from './byte-allowance.ts';

/** Options of {@link SocketReading}. */
export interface SocketReadingOptions {
  readonly ws: Pick<WebSocket, 'pause' | 'resume' | 'terminate' | 'readyState' | 'OPEN'>;
  readonly clock: Clock;
  readonly limits: Pick<MessagingLimits, 'socketFramesPerSecond' | 'framesPerSecond' | 'heartbeatsPerSecond'>;
  /** The session's allowance. */
  readonly allowance: ByteAllowance;
  /** Closes the socket of a peer that keeps sending more than is read. */
  readonly onFlood: () => void;
}

// Seconds' worth of frames that a socket may send at once.
const FRAMES_BURST_SECONDS = 2;
// Per pause at most one 64 KiB chunk is read from the socket: about 10,000 of the smallest frames, each of which takes
// about 1 microsecond when it is dropped unread.
const PAUSE_MS = 250;
// The pause grows while frames keep being dropped.
const LONGEST_PAUSE_MS = 1_000;
// No legitimate client exceeds its allowance for seven seconds. While nothing is read, the peer's disconnection goes
// unnoticed too, so the socket would keep its slot until all its bytes have been read.
const MAX_PAUSED_MS = 7_000;
// Node reads up to 65,536 bytes from a socket at a time. A chunk of this size belongs to a large frame or a flood.
const LARGE_CHUNK_BYTES = 16_384;
// Reading a large chunk takes about 0.2 ms, and the last one of a megabyte frame several milliseconds.
const SOCKETS_PER_TURN = 2;
// The peer's close frame can be preceded by at most one maximum-size frame that was already in flight.
const MAX_BYTES_AFTER_CLOSE = 131_072;
// Dropping a connection with unread bytes resets it, which can overtake the close frame; this delay lets the frame
// arrive.
const CLOSE_FRAME_GRACE_MS = 1_000;

/** Queue of sockets whose last chunk was large. */
const readInTurn = workInTurns(SOCKETS_PER_TURN);

/**
 * Limits how much one socket makes its node read. Frames above the allowance are dropped without decoding, and reading
 * pauses for increasing times, so that TCP slows the sender down. Bytes above the session's allowance only cause
 * pauses. After a large chunk a socket waits for its turn: two such sockets are read per event loop turn, at most two
 * chunks each. By default Node reads up to 32 chunks from every socket first, which delays all others while some
 * sockets receive megabyte frames. A peer that keeps sending after a close is no longer read and is then dropped, and
 * so is one that stays above the allowance.
 */
export class SocketReading {
  readonly #options: SocketReadingOptions;
  readonly #framesPerSecond: number;
  #frames: number;
  #filledAtMs: number;
  #isThrottled = false;
  /** Total duration of consecutive pauses. */
  #pausedMs = 0;
  #pauseEndedAtMs = Number.NEGATIVE_INFINITY;
  #isBehind = false;
  #isYielding = false;
  #isStopped = false;
  #bytesAfterClose = 0;
  #isAbandoned = false;
  #cancel: () => void = () => {};
  #cancelDrop: () => void = () => {};

  constructor(options: SocketReadingOptions) {
    const { limits, clock } = options;
    this.#options = options;
    // Never below what the limits of section 16 allow.
    const { socketFramesPerSecond, framesPerSecond, heartbeatsPerSecond } = limits;
    this.#framesPerSecond = Math.max(socketFramesPerSecond, 2 * (framesPerSecond + heartbeatsPerSecond));
    this.#frames = this.#framesPerSecond * FRAMES_BURST_SECONDS;
    this.#filledAtMs = clock.now();
    if (options.allowance.isExceeded) this.#throttle();
  }

  /** Counts a frame of any kind; false when it exceeds the allowance and must be dropped. */
  take(bytes: number): boolean {
    const { allowance } = this.#options;
    this.#fill();
    allowance.take(bytes);
    const isWithin = this.#frames >= 1;
    if (isWithin) this.#frames -= 1;
    if (!isWithin) this.#throttle(Math.min(LONGEST_PAUSE_MS, PAUSE_MS + this.#pausedInRowMs()));
    else if (allowance.isExceeded) this.#throttle();
    return isWithin;
  }

  /** Records a received chunk. After a large one, other sockets are read first. */
  noteChunk(bytes: number): void {
    const { ws } = this.#options;
    if (this.#isStopped) return;
    if (ws.readyState !== ws.OPEN) this.#noteBytesAfterClose(bytes);
    if (bytes < LARGE_CHUNK_BYTES || this.#isYielding) return;
    this.#isYielding = true;
    this.#apply();
    readInTurn(() => {
      this.#isYielding = false;
      if (!this.#isStopped) this.#apply();
    });
  }

  /** Whether the session's queue for this socket is full; nothing is read meanwhile. */
  set isBehind(isBehind: boolean) {
    if (this.#isBehind === isBehind) return;
    this.#isBehind = isBehind;
    this.#apply();
  }

  /** Cancels timers after the socket was closed. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel();
    this.#cancelDrop();
  }

  /** After a close, `ws` reads on to the end of the stream to find the peer's close frame. */
  #noteBytesAfterClose(bytes: number): void {
    this.#bytesAfterClose += bytes;
    if (this.#bytesAfterClose > MAX_BYTES_AFTER_CLOSE) this.#abandon();
  }

  /** Stops reading, and drops the connection once a close frame has had time to arrive. */
  #abandon(): void {
    if (this.#isAbandoned) return;
    const { ws, clock } = this.#options;
    this.#isAbandoned = true;
    this.#apply();
    this.#cancelDrop = clock.setTimer(() => ws.terminate(), CLOSE_FRAME_GRACE_MS);
  }

  #fill(): void {
    const { clock } = this.#options;
    const nowMs = clock.now();
    // After the clock was set back, a negative elapsed time counts as zero.
    const seconds = Math.max(0, nowMs - this.#filledAtMs) / 1000;
    this.#filledAtMs = nowMs;
    const framesBurst = this.#framesPerSecond * FRAMES_BURST_SECONDS;
    this.#frames = Math.min(framesBurst, this.#frames + seconds * this.#framesPerSecond);
  }

  #pausedInRowMs(): number {
    const isInRow = this.#options.clock.now() - this.#pauseEndedAtMs <= PAUSE_MS;
    return isInRow ? this.#pausedMs : 0;
  }

  #throttle(pauseMs = PAUSE_MS): void {
    if (this.#isThrottled || this.#isAbandoned) return;
    const { clock, onFlood } = this.#options;
    const pausedMs = this.#pausedInRowMs();
    this.#pausedMs = pausedMs + pauseMs;
    if (pausedMs >= MAX_PAUSED_MS) {
      onFlood();
      this.#abandon();
      return;
    }
    this.#isThrottled = true;
    this.#apply();
    this.#cancel = clock.setTimer(() => {
      this.#isThrottled = false;
      this.#pauseEndedAtMs = clock.now();
      if (this.#options.allowance.isExceeded) this.#throttle();
      else this.#apply();
    }, pauseMs);
  }

  #apply(): void {
    const { ws } = this.#options;
    if (this.#isThrottled || this.#isBehind || this.#isYielding || this.#isAbandoned) ws.pause();
    else ws.resume();
  }
}
