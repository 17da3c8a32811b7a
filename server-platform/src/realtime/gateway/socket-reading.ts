import { workInTurns } from '@natter/server-kit/work-in-turns';
import type { WebSocket } from 'ws';
import type { Clock } from '../../kit/clock.ts';
import type { MessagingLimits } from '../messaging-limits.ts';
import type { ByteAllowance } from './byte-allowance.ts';

/** What reading needs. */
export interface SocketReadingOptions {
  readonly ws: Pick<WebSocket, 'pause' | 'resume' | 'terminate' | 'readyState' | 'OPEN'>;
  readonly clock: Clock;
  readonly limits: Pick<MessagingLimits, 'socketFramesPerSecond' | 'framesPerSecond' | 'heartbeatsPerSecond'>;
  /** The session's. */
  readonly allowance: ByteAllowance;
  /** Closes the socket of a peer that keeps sending more than is read. */
  readonly onFlood: () => void;
}

// A socket may use this many seconds' frames at once.
const FRAMES_BURST_SECONDS = 2;
// Within one pause at most one chunk of 64 KiB is read from the socket: some 10,000 of the smallest frames, which cost
// about 1 microsecond each when they are dropped unread.
const PAUSE_MS = 250;
// A socket whose frames have to be dropped again and again is read less and less often.
const LONGEST_PAUSE_MS = 1_000;
// A socket that is above its allowance for seven seconds belongs to no client that is meant well. While nothing is read from
// it, the end of its peer goes unnoticed too, so that it would keep its place until all its bytes have been read.
const MAX_PAUSED_MS = 7_000;
// Node reads up to 65,536 bytes from a socket at a time. A chunk of this size is part of a large frame or of a flood.
const LARGE_CHUNK_BYTES = 16_384;
// To read a large chunk takes a node some 0.2 ms, and the last one of a frame of a megabyte several milliseconds.
const SOCKETS_PER_TURN = 2;
// The close frame of the peer is at most this far behind: one frame of the size that clients may send was on its way.
const MAX_BYTES_AFTER_CLOSE = 131_072;
// Dropping a connection with unread bytes resets it, which can overtake the close frame; this lets the frame arrive.
const CLOSE_FRAME_GRACE_MS = 1_000;

/** Sockets whose last chunk was large wait here. */
const readInTurn = workInTurns(SOCKETS_PER_TURN);

/**
 * Bounds what one socket makes its node read. Frames above the allowance are dropped without being decoded, and the
 * socket is read in pauses, longer ones while it stays above, so that TCP slows the sender down. Bytes above the session's
 * allowance only make pauses. After a large chunk a socket waits for its turn: in one turn of the event loop two such sockets of the process are read, at
 * most two chunks each. Node normally reads up to 32 chunks from every socket before anything else is done, which makes
 * all others wait while some sockets receive frames of a megabyte. A peer that keeps sending after a close is
 * not read any more and dropped, and so is one that stays above the allowance.
 */
export class SocketReading {
  readonly #options: SocketReadingOptions;
  readonly #framesPerSecond: number;
  #frames: number;
  #filledAtMs: number;
  #isThrottled = false;
  /** How long pauses that followed each other have lasted together. */
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
    // Never below what the limits of section 16 let through.
    const { socketFramesPerSecond, framesPerSecond, heartbeatsPerSecond } = limits;
    this.#framesPerSecond = Math.max(socketFramesPerSecond, 2 * (framesPerSecond + heartbeatsPerSecond));
    this.#frames = this.#framesPerSecond * FRAMES_BURST_SECONDS;
    this.#filledAtMs = clock.now();
    if (options.allowance.isExceeded) this.#throttle();
  }

  /** Counts one frame of any kind; false when it is above the allowance and to be dropped. */
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

  /** A chunk of the byte stream arrived. After a large one the other sockets are read first. */
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

  /** Whether the session has more of the socket's frames to handle than may wait: nothing is read meanwhile. */
  set isBehind(isBehind: boolean) {
    if (this.#isBehind === isBehind) return;
    this.#isBehind = isBehind;
    this.#apply();
  }

  /** For a socket that is closed. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel();
    this.#cancelDrop();
  }

  /** `ws` reads to the end of the stream after a close, so that it finds the close frame of the peer. */
  #noteBytesAfterClose(bytes: number): void {
    this.#bytesAfterClose += bytes;
    if (this.#bytesAfterClose > MAX_BYTES_AFTER_CLOSE) this.#abandon();
  }

  /** Reads nothing more, and drops the connection as soon as a close frame can have arrived. */
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
    // A clock set back must not empty the allowance.
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
