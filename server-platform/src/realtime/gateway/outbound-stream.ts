import type { Duplex } from 'node:stream';
import {
  CLOSE_CODES,
  type EncodedEvent,
  encodeBatches,
  type OutgoingEvent,
  type Vocabulary,
} from 'natter/protocol';
import type { WebSocket } from 'ws';
import type { Clock } from '../../kit/clock.ts';
import type { Bus, BusMessage } from '../bus/index.ts';
import { readLogPages } from '../event-log/index.ts';
import type { FrameEncoder } from './frame-encoder.ts';

/** Options of {@link OutboundStream}. */
export interface OutboundStreamOptions {
  readonly sessionId: string;
  readonly ws: Pick<WebSocket, 'send' | 'close' | 'bufferedAmount'>;
  /** The stream under `ws`. */
  readonly socket: Pick<Duplex, 'cork' | 'uncork'>;
  /** Reads events with a sequence above `afterSequence`, ascending, at most `limit`, and whether there are more. */
  readonly read: (
    afterSequence: number,
    limit: number,
  ) => Promise<{ readonly events: readonly OutgoingEvent[]; readonly hasMore: boolean }>;
  /** Makes event ids for batch envelopes. */
  readonly createId: () => string;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly frames: FrameEncoder;
  readonly vocabulary: Vocabulary;
  readonly maxFrameBytes: number;
  readonly maxBufferedBytes: number;
  /** Runs after the replay and before live events: returns the events repeated to a new socket (5.5). */
  readonly afterReplay: () => Promise<readonly OutgoingEvent[]>;
  /** Called when the log could not be read; the socket is closed with 1011. */
  readonly onFailure: (error: unknown) => void;
  readonly onSlowReader: () => void;
  /** Called when a frame was passed to the socket. */
  readonly onSent: (type: string, bytes: number) => void;
}

// Live events buffered during a replay. Above this they are dropped, because the log has them and is read again.
const MAX_BUFFERED_EVENTS = 2_000;

/** An event buffered during the replay. A direct one goes to this socket only and has no sequence. */
interface Buffered {
  readonly event: OutgoingEvent;
  readonly isDirect: boolean;
}

/**
 * Sends one socket's events in the order of the contract.
 *
 * | phase      | on a bus event                                 | leaves it                                   |
 * |------------|------------------------------------------------|---------------------------------------------|
 * | `replaying`| buffered                                         | log read to its end, buffered ones sent: `live` |
 * | `live`     | next sequence sent, older ignored, gap: `replaying` | SESSION_END sent or a close: `closed`    |
 * | `closed`   | ignored                                        | never                                       |
 *
 * Source: RPL-1 to RPL-5, and "a gap seen at any time means: read the log again".
 */
export class OutboundStream {
  readonly #options: OutboundStreamOptions;
  #phase: 'replaying' | 'live' | 'closed' = 'replaying';
  #vocabulary: Vocabulary;
  #sentSequence = 0;
  #buffered: Buffered[] = [];
  #hasDroppedBuffered = false;
  #isCorked = false;
  #unsubscribe: () => void = () => {};

  constructor(options: OutboundStreamOptions) {
    this.#options = options;
    this.#vocabulary = options.vocabulary;
  }

  /** Sets the vocabulary of all later frames. Source: V-3, V-5. */
  set vocabulary(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /**
   * Subscribes, replays the events after `cursor`, then goes live. `lastSequence` is the end of the log at the
   * handshake. With `isEnded` the socket is closed with 1000 after the replay (WS-4).
   */
  async start(cursor: number, lastSequence: number, isEnded: boolean): Promise<void> {
    const { bus, sessionId } = this.#options;
    this.#unsubscribe = bus.subscribeLocal(sessionId, (message) => this.#onBus(message));
    try {
      await this.#replay(cursor, lastSequence);
      if (isEnded) this.close(CLOSE_CODES.normal, '');
      for (const event of await this.#options.afterReplay()) this.#send(event, true);
      await this.#drainBuffered();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Sends an event to this socket only, after the replay if one is running. */
  deliver(event: OutgoingEvent): void {
    if (this.#phase === 'live') this.#send(event, true);
    else this.#buffer(event, true);
  }

  /** Closes the socket after all earlier frames. Safe to call repeatedly. */
  close(code: number, reason: string): void {
    if (this.#phase === 'closed') return;
    this.stop();
    this.#options.ws.close(code, reason);
  }

  /** Stops sending without closing, for a socket that is gone. */
  stop(): void {
    this.#phase = 'closed';
    this.#buffered = [];
    this.#unsubscribe();
  }

  async #replay(cursor: number, lastSequence: number): Promise<void> {
    const { read, clock, createId, maxFrameBytes, frames: encoder } = this.#options;
    // A cursor beyond the end replays nothing, but must not hide later events (CUR-3).
    this.#sentSequence = cursor > lastSequence ? lastSequence : Math.max(cursor, 1);
    const pages = readLogPages(read, this.#sentSequence);
    // Requested together, they share one statement.
    let [{ events: lead }, { value: page }] = await Promise.all([read(0, 1), pages.next()]);
    while (page) {
      const { events, hasMore } = page;
      const reached = events.at(-1)?.sequence ?? this.#sentSequence;
      const frames = encodeBatches([...lead, ...events], {
        vocabulary: this.#vocabulary,
        maxBytes: maxFrameBytes,
        nowMs: clock.now(),
        createId,
        lastSequence: Math.max(lastSequence, reached),
        hasMore,
        encode: encoder.encode,
      });
      // Reads the next page only when the socket has accepted this one.
      for (const text of frames)
        await this.#write('EVENT_TYPE_EVENT_BATCH', { text, bytes: Buffer.byteLength(text) });
      if (this.#phase === 'closed') return;
      this.#sentSequence = reached;
      lead = [];
      if (events.some(isSessionEnd)) this.close(CLOSE_CODES.normal, '');
      page = (await pages.next()).value;
    }
  }

  /** Sends buffered events, reads the log again until nothing is missing, and goes live. */
  async #drainBuffered(): Promise<void> {
    while (this.#phase === 'replaying') {
      const buffered = this.#buffered;
      this.#buffered = [];
      const hasGap = this.#hasDroppedBuffered || this.#findGap(buffered.map(({ event }) => event));
      this.#hasDroppedBuffered = false;
      if (hasGap) await this.#catchUp();
      for (const { event, isDirect } of buffered) this.#send(event, isDirect);
      // Nothing is awaited between this check and going live, so no event can be missed.
      if (this.#buffered.length === 0 && this.#phase === 'replaying') this.#phase = 'live';
    }
  }

  #findGap(events: readonly OutgoingEvent[]): boolean {
    const next = events.find(({ sequence }) => sequence !== null && sequence > this.#sentSequence);
    return next !== undefined && next.sequence !== this.#sentSequence + 1;
  }

  /** Sends events from the log, one per frame, until its end. */
  async #catchUp(): Promise<void> {
    for await (const { events } of readLogPages(this.#options.read, this.#sentSequence)) {
      for (const event of events) {
        if (this.#isClosed()) return;
        await this.#write(event.type, this.#encode(event));
        this.#noteSent(event);
      }
    }
  }

  #onBus(message: BusMessage): void {
    if (message.kind === 'close') {
      this.close(message.code, message.reason);
      return;
    }
    if (this.#phase === 'replaying') {
      for (const event of message.events) this.#buffer(event, false);
      return;
    }
    if (this.#phase === 'closed') return;
    if (!this.#findGap(message.events)) {
      for (const event of message.events) this.#send(event, false);
      return;
    }
    this.#phase = 'replaying';
    for (const event of message.events) this.#buffer(event, false);
    this.#drainBuffered().catch((error: unknown) => this.#fail(error));
  }

  #buffer(event: OutgoingEvent, isDirect: boolean): void {
    if (this.#isClosed()) return;
    if (this.#buffered.length < MAX_BUFFERED_EVENTS) this.#buffered.push({ event, isDirect });
    else if (event.sequence !== null) this.#hasDroppedBuffered = true;
  }

  /** Sends an event unless it was sent before. Direct events have no sequence and are always sent. */
  #send(event: OutgoingEvent, isDirect: boolean): void {
    if (this.#isClosed()) return;
    if (!isDirect && event.sequence !== null && event.sequence <= this.#sentSequence) return;
    this.#cork();
    const { text, bytes } = this.#encode(event);
    this.#options.ws.send(text);
    this.#options.onSent(event.type, bytes);
    if (!isDirect) this.#noteSent(event);
  }

  /** Passes all frames of one event loop turn for this socket to the system at once. */
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    const { socket } = this.#options;
    socket.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      socket.uncork();
      this.#checkBacklog();
    });
  }

  /**
   * Closes the socket when its buffer exceeds the limit. Not while corked, because `ws` then also counts bytes that the
   * system would accept at once.
   */
  #checkBacklog(): void {
    const { ws, maxBufferedBytes, onSlowReader } = this.#options;
    if (this.#isClosed() || ws.bufferedAmount <= maxBufferedBytes) return;
    onSlowReader();
    this.close(CLOSE_CODES.overload, 'too slow, come back');
  }

  #noteSent(event: OutgoingEvent): void {
    if (event.sequence !== null) this.#sentSequence = event.sequence;
    if (isSessionEnd(event)) this.close(CLOSE_CODES.normal, '');
  }

  /** Sends a frame and waits until the socket has accepted it, so that a long history does not pile up in memory. */
  #write(type: string, { text, bytes }: EncodedEvent): Promise<void> {
    return new Promise((resolve) => {
      // An error means that the socket is gone; its close event ends this stream.
      if (this.#isClosed()) {
        resolve();
        return;
      }
      this.#options.ws.send(text, () => resolve());
      this.#options.onSent(type, bytes);
    });
  }

  #encode(event: OutgoingEvent): EncodedEvent {
    return this.#options.frames.encode(event, this.#vocabulary);
  }

  #isClosed(): boolean {
    return this.#phase === 'closed';
  }

  #fail(error: unknown): void {
    if (this.#isClosed()) return;
    this.#options.onFailure(error);
    this.close(CLOSE_CODES.internalError, '');
  }
}

function isSessionEnd(event: OutgoingEvent): boolean {
  return event.type === 'EVENT_TYPE_SESSION_END';
}
