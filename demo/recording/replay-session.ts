import { decodeClientFrame } from 'natter/protocol';
import { clientIdOf, fieldOf, type ReplayStep, typeOf } from './read-steps.ts';
import type { RecordedFrame } from './recording.ts';

/** The platform's end of one socket. */
export interface ReplayPeer {
  send(text: string): void;
  close(code: number): void;
  /** Ends the connection without a close frame: the client sees 1006. */
  terminate(): void;
}

/** Options of a replay. */
export interface ReplayOptions {
  /** Speed, as a multiple of the recorded speed. `Infinity` leaves out every pause. */
  readonly speed: number;
  /** Nothing of the recording happens after this time of it, in milliseconds. `Infinity` replays all of it. */
  readonly untilMs: number;
}

/** Events that clients send only where the platform says that it takes them; a recording of them is enough here. */
const OPTIONAL = [
  'EVENT_TYPE_CSAT_RESPONSE',
  'EVENT_TYPE_USER_RECEIVED_MESSAGE',
  'EVENT_TYPE_USER_READ_MESSAGE',
] as const;
const END = 'EVENT_TYPE_SESSION_END';
const NOT_RECORDED = 'The recording has no answer to this.';

/**
 * One visitor's run through a recording: sends its events in order and with its pauses, and stops where the visitor
 * has to do something. Echoes carry the visitor's own ids and words in place of those recorded.
 */
export class ReplaySession {
  readonly id: string = `replay-${crypto.randomUUID()}`;
  readonly token: string = crypto.randomUUID();
  readonly #steps: readonly ReplayStep[];
  readonly #options: ReplayOptions;
  readonly #peers = new Set<ReplayPeer>();
  readonly #log: { readonly sequence: number; readonly event: RecordedFrame }[] = [];
  readonly #given = new Map<string, RecordedFrame>();
  readonly #echoes = new Map<string, RecordedFrame>();
  #arrived: RecordedFrame[] = [];
  #next = 0;
  #atMs: number;
  #isRunning = false;
  #isEnded = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(steps: readonly ReplayStep[], options: ReplayOptions) {
    this.#steps = steps;
    this.#options = options;
    this.#atMs = steps[0]?.atMs ?? 0;
    // The events of the first frame are the history that a new socket receives.
    for (let step = steps[0]; step?.kind === 'event' && step.atMs === this.#atMs; step = steps[++this.#next])
      this.#keep(step);
  }

  /** True while the recording has lost the connection for longer than it is replayed. */
  get isUnreachable(): boolean {
    const before = this.#steps[this.#next - 1];
    return before?.kind === 'cut' && (this.#steps[this.#next]?.atMs ?? 0) > this.#options.untilMs;
  }

  /** Accepts a socket, and first sends it the events after `cursor`. Source: messaging.md 4.3. */
  open(peer: ReplayPeer, cursor: number): void {
    this.#peers.add(peer);
    const events = this.#log.filter(({ sequence }) => sequence === 1 || sequence > cursor);
    peer.send(
      JSON.stringify({
        ...envelope('EVENT_TYPE_EVENT_BATCH'),
        payload: {
          events: events.map(({ event }) => event),
          has_more: false,
          last_sequence: this.#log.at(-1)?.sequence ?? 0,
        },
      }),
    );
    if (this.#isEnded) peer.close(1000);
    else void this.#run();
  }

  leave(peer: ReplayPeer): void {
    this.#peers.delete(peer);
  }

  /** Handles one frame of the visitor; null for binary data. */
  receive(peer: ReplayPeer, text: string | null): void {
    const decoded = decodeClientFrame(text, undefined, undefined, OPTIONAL);
    if (decoded.kind === 'close') peer.close(decoded.code);
    if (decoded.kind === 'error') this.#refuse(peer, decoded.text, decoded.custom);
    if (decoded.kind !== 'accept' || text === null) return;
    const frame: RecordedFrame = JSON.parse(text);
    const { type, custom } = decoded.event;
    if (type === 'EVENT_TYPE_USER_TYPING') return;
    if (type === 'EVENT_TYPE_HEARTBEAT') {
      peer.send(JSON.stringify({ ...envelope(type), payload: {} }));
      return;
    }
    const echo = this.#echoes.get(clientIdOf(frame) ?? '');
    if (echo) peer.send(JSON.stringify(echo));
    else if (this.#isAwaited(type)) {
      this.#arrived.push(frame);
      void this.#run();
    } else if (type !== 'EVENT_TYPE_REQUEST_AGENT_JOIN') this.#refuse(peer, NOT_RECORDED, custom);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#isEnded = true;
  }

  #isAwaited(type: string): boolean {
    const open = this.#steps.slice(this.#next).filter((step) => step.kind === 'wait' && step.type === type);
    return open.length > this.#arrived.filter((frame) => typeOf(frame) === type).length;
  }

  #refuse(peer: ReplayPeer, message: string, custom: object | null): void {
    const payload = { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message };
    const metadata = custom && { metadata: { custom } };
    peer.send(JSON.stringify({ ...envelope('EVENT_TYPE_SYSTEM_MESSAGE'), payload, ...metadata }));
  }

  /** Continues until it needs the visitor or a connection, or reaches the end. */
  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let step = this.#steps[this.#next]; step; step = this.#steps[this.#next]) {
      if (this.#isEnded || this.#peers.size === 0 || step.atMs > this.#options.untilMs) break;
      if (step.kind === 'wait') {
        if (!this.#accept(step)) break;
      } else {
        await this.#pause(step.atMs - this.#atMs);
        // The socket may have gone meanwhile; then the next one continues here.
        if (this.#isEnded || this.#peers.size === 0) break;
      }
      this.#atMs = step.atMs;
      this.#next += 1;
      if (step.kind === 'cut') for (const peer of this.#peers) peer.terminate();
      if (step.kind === 'event') this.#deliver(step);
    }
    this.#isRunning = false;
  }

  /** True when the visitor has done the action that a step waits for. */
  #accept({ type, sent }: Extract<ReplayStep, { kind: 'wait' }>): boolean {
    const frame = this.#arrived.find((one) => typeOf(one) === type);
    if (!frame) return false;
    this.#arrived = this.#arrived.filter((one) => one !== frame);
    const id = clientIdOf(sent);
    if (id !== null) this.#given.set(id, frame);
    return true;
  }

  #pause(recordedMs: number): Promise<void> {
    const ms = recordedMs / this.#options.speed;
    if (ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#timer = setTimeout(resolve, ms);
    });
  }

  #deliver(step: Extract<ReplayStep, { kind: 'event' }>): void {
    const text = JSON.stringify(this.#keep(step));
    for (const peer of this.#peers) peer.send(text);
    if (!this.#isEnded) return;
    for (const peer of this.#peers) peer.close(1000);
  }

  /** Puts an event into the log, as this visitor gets it. */
  #keep({ event, sequence }: Extract<ReplayStep, { kind: 'event' }>): RecordedFrame {
    const own = this.#given.get(clientIdOf(event) ?? '');
    const echo = own ? withOwnWords(event, own) : event;
    const id = clientIdOf(echo);
    if (own && id !== null) this.#echoes.set(id, echo);
    // Frames may have been recorded out of order.
    if (sequence !== null) {
      this.#log.push({ sequence, event: echo });
      this.#log.sort((one, other) => one.sequence - other.sequence);
    }
    if (typeOf(event) === END) this.#isEnded = true;
    return echo;
  }
}

/** An echo with the visitor's actual text instead of the recorded one. */
function withOwnWords(event: RecordedFrame, own: RecordedFrame): RecordedFrame {
  const text = fieldOf(own['payload'], 'text');
  const payload = fieldOf(event, 'payload');
  return {
    ...event,
    metadata: own['metadata'],
    ...(typeof text === 'string' && typeof payload === 'object' && { payload: { ...payload, text } }),
  };
}

function envelope(type: string): RecordedFrame {
  return { id: crypto.randomUUID(), sequence: null, timestamp: new Date().toISOString(), type };
}
