import type { Socket } from 'node:net';
import { FrameSplitter, type WirePart } from './split-frames.ts';

/** Which way bytes go. */
export type LinkDirection = 'toServer' | 'toClient';
export type LinkDirections = LinkDirection | 'both';

/** Lasting effects of a link on its bytes. */
export interface LinkConditions {
  /** Resets new connections before a byte has passed. Open ones stay. */
  readonly isRefusing: boolean;
  /** Nothing passes this way, not even the end of a connection; sockets stay open, and waiting bytes pass later. */
  readonly stalled: LinkDirections | 'none';
  /** Latency added in each direction, in milliseconds. Order is kept. */
  readonly delayMs: number;
  /** Bytes per second in each direction of each connection, null for no limit. */
  readonly bytesPerSecond: number | null;
}

// A frame that waits for the one it changes places with is sent alone after this time.
const SWAP_PATIENCE_MS = 40;
// Above this the link stops reading, so that a slow reader slows the sender down.
const MAX_QUEUED_BYTES = 262_144;
const SLICES_PER_SECOND = 20;

/** Clock for the delays and throttling of a link. */
export interface LinkClock {
  /** Milliseconds since any one moment. */
  now(): number;
  /** Runs `callback` once after `delayMs`; the returned function cancels it. */
  setTimer(callback: () => void, delayMs: number): () => void;
}

/** State shared by the connections of a link. */
export interface LinkState {
  readonly clock: LinkClock;
  conditions: LinkConditions;
  duplicates: number;
  swaps: number;
  readonly cuts: Record<LinkDirection, boolean>;
  readonly tampered: { duplicated: number; swapped: number; cut: number };
}

type QueueItem =
  | { readonly kind: 'bytes'; bytes: Buffer; readonly dueAtMs: number }
  /** The sender has finished; the other way may still carry bytes. */
  | { readonly kind: 'end'; readonly dueAtMs: number }
  /** The connection broke, or is to break after what stands before this. */
  | { readonly kind: 'break'; readonly dueAtMs: number };

/** True when `directions` include `direction`. */
export const covers = (directions: LinkDirections | 'none', direction: LinkDirection): boolean =>
  directions === 'both' || directions === direction;

/** Breaks a connection: with a reset where the kind of socket knows one. */
export function breakSocket(socket: Socket): void {
  if (socket.destroyed) return;
  if (socket.localAddress === undefined) socket.destroy();
  else socket.resetAndDestroy();
}

/** One direction of one connection. */
export class LinkPipe {
  readonly #source: Socket;
  readonly #sink: Socket;
  readonly #direction: LinkDirection;
  readonly #link: LinkState;
  readonly #splitter: FrameSplitter;
  #queue: QueueItem[] = [];
  #queuedBytes = 0;
  #callOff: () => void = () => {};
  #swapTimer: NodeJS.Timeout | undefined;
  #waitsForDrain = false;
  #heldFrame: Buffer | null = null;
  #isDeaf = false;
  /** No more bytes are accepted: the source has ended, or the pipe was cut. */
  #isOver = false;

  constructor(source: Socket, sink: Socket, direction: LinkDirection, link: LinkState) {
    this.#source = source;
    this.#sink = sink;
    this.#direction = direction;
    this.#link = link;
    this.#splitter = new FrameSplitter(direction);
    source.on('data', (chunk: Buffer) => {
      for (const part of this.#splitter.push(chunk)) this.#take(part);
      if (this.#queuedBytes > MAX_QUEUED_BYTES) source.pause();
      this.pump();
    });
    source.on('end', () => this.#finish('end'));
    source.on('close', () => this.#finish('break'));
  }

  deafen(): void {
    this.#isDeaf = true;
  }

  stop(): void {
    this.#isOver = true;
    this.#queue = [];
    this.#callOff();
    clearTimeout(this.#swapTimer);
  }

  /** Forwards the frames that are due, and sets the timer for the rest. */
  pump(): void {
    this.#callOff();
    for (let item = this.#queue[0]; item; item = this.#queue[0]) {
      const { stalled, bytesPerSecond } = this.#link.conditions;
      if (this.#waitsForDrain || this.#isDeaf || covers(stalled, this.#direction)) return;
      const waitMs = item.dueAtMs - this.#link.clock.now();
      if (waitMs > 0) {
        this.#pumpAfter(waitMs);
        return;
      }
      if (item.kind !== 'bytes') {
        this.#queue.shift();
        if (item.kind === 'end') this.#sink.end();
        else this.#break();
        continue;
      }
      const size =
        bytesPerSecond === null
          ? item.bytes.length
          : Math.min(item.bytes.length, Math.max(1, Math.floor(bytesPerSecond / SLICES_PER_SECOND)));
      this.#write(item.bytes.subarray(0, size));
      item.bytes = item.bytes.subarray(size);
      if (item.bytes.length === 0) this.#queue.shift();
      if (bytesPerSecond !== null) {
        this.#pumpAfter((size / bytesPerSecond) * 1000);
        return;
      }
    }
  }

  #pumpAfter(delayMs: number): void {
    this.#callOff = this.#link.clock.setTimer(() => this.pump(), delayMs);
  }

  #write(bytes: Buffer): void {
    this.#queuedBytes -= bytes.length;
    if (this.#source.isPaused() && this.#queuedBytes < MAX_QUEUED_BYTES / 2) this.#source.resume();
    if (this.#sink.destroyed || this.#sink.writableEnded) return;
    if (this.#sink.write(bytes)) return;
    this.#waitsForDrain = true;
    this.#sink.once('drain', () => {
      this.#waitsForDrain = false;
      this.pump();
    });
  }

  /** The sink gets all earlier bytes, then a reset; the source is reset at once. */
  #break(): void {
    this.stop();
    breakSocket(this.#source);
    if (!this.#sink.destroyed) this.#sink.destroySoon();
  }

  #finish(kind: 'end' | 'break'): void {
    if (this.#isOver) return;
    this.#releaseHeld();
    this.#isOver = true;
    this.#queue.push({ kind, dueAtMs: this.#dueAtMs() });
    this.pump();
  }

  #take({ bytes, kind }: WirePart): void {
    if (this.#isOver) return;
    if (kind !== 'raw' && bytes.length > 1 && this.#link.cuts[this.#direction]) {
      this.#cut(bytes);
      return;
    }
    if (kind !== 'text' || this.#direction === 'toServer') {
      this.#enqueue(bytes);
      return;
    }
    if (this.#heldFrame !== null) {
      const pair = Buffer.concat([bytes, this.#heldFrame]);
      this.#heldFrame = null;
      clearTimeout(this.#swapTimer);
      this.#link.tampered.swapped += 1;
      // One write: a pair that was torn apart by a later fault would be a loss, which TCP never shows.
      this.#enqueue(pair);
      return;
    }
    if (this.#link.swaps > 0) {
      this.#link.swaps -= 1;
      this.#heldFrame = bytes;
      this.#swapTimer = setTimeout(() => {
        this.#releaseHeld();
        this.pump();
      }, SWAP_PATIENCE_MS);
      return;
    }
    if (this.#link.duplicates > 0) {
      this.#link.duplicates -= 1;
      this.#link.tampered.duplicated += 1;
      this.#enqueue(bytes);
    }
    this.#enqueue(bytes);
  }

  #cut(frame: Buffer): void {
    this.#link.cuts[this.#direction] = false;
    this.#link.tampered.cut += 1;
    this.#enqueue(frame.subarray(0, Math.ceil(frame.length / 2)));
    this.#isOver = true;
    this.#queue.push({ kind: 'break', dueAtMs: this.#dueAtMs() });
  }

  #releaseHeld(): void {
    clearTimeout(this.#swapTimer);
    if (this.#heldFrame !== null) this.#enqueue(this.#heldFrame);
    this.#heldFrame = null;
  }

  #enqueue(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#queue.push({ kind: 'bytes', bytes, dueAtMs: this.#dueAtMs() });
    this.#queuedBytes += bytes.length;
  }

  /** Not before earlier frames, even when the delay has been shortened since. */
  #dueAtMs(): number {
    return Math.max(this.#link.clock.now() + this.#link.conditions.delayMs, this.#queue.at(-1)?.dueAtMs ?? 0);
  }
}
