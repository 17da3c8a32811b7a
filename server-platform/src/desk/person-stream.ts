import type { Bus } from '../bus/index.ts';
import type { Clock } from '../clock.ts';
import type { EventLog, StoredEvent } from '../db/index.ts';
import type { PersonCalls } from './person-calls.ts';

/** What a stream for a person is made from. */
export interface PersonStreamOptions {
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Pick<EventLog, 'readPage'>;
  readonly personId: string;
  readonly personCalls: Pick<PersonCalls, 'beginStream'>;
  /** The conversation that is shown, the prefix of its events' ids, and the last sequence that the page has of it. */
  readonly shown: { readonly id: string; readonly sessionId: string; readonly cursor: number } | null;
  /** What is sent as a whole at the start, whenever it has changed, and looked at with every sign of life. */
  readonly list: { readonly event: string; readonly read: () => Promise<object> };
  /** Time between two signs of life, which also find what the bus has lost. */
  readonly beatMs: number;
  /** Listens for as long as the stream is open: `look` reads the list again, `send` sends an event of its own. */
  readonly listen: (look: () => void, send: (event: string, data: object) => void) => readonly (() => void)[];
  /** Whether the sign-in still lasts. */
  readonly isSignedIn: () => Promise<boolean>;
  /** Called with every sign of life of a person who is signed in. */
  readonly onBeat?: () => Promise<void>;
  readonly onFailure: (what: string, error: unknown) => void;
  readonly onClose: () => void;
}

/** An open stream. */
export interface PersonStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly personId: string;
  /** With a reason, the page is told it. */
  close(reason?: StreamEnd): void;
}

/** Why a stream is closed: the person has opened more than {@link MAX_STREAMS}, or is signed out. */
export type StreamEnd = 'too_many_streams' | 'signed_out';

// Browsers open six connections to a host at a time over HTTP/1.1, and calls need one.
const MAX_STREAMS = 5;

/** Closes the person's oldest streams, so that one more is within the limit. */
export function makeRoomForStream(streams: Iterable<PersonStream>, personId: string): void {
  const own = [...streams].filter((stream) => stream.personId === personId);
  for (const stream of own.slice(0, Math.max(0, own.length - MAX_STREAMS + 1)))
    stream.close('too_many_streams');
}

const PAGE_EVENTS = 200;
// A page that reads this slowly is cut off; it comes back with its cursor.
const MAX_WAITING_BYTES = 4_194_304;

/** The events that a transcript shows. */
const SHOWN = new Set([
  ...['USER_MESSAGE', 'AGENT_MESSAGE', 'AGENT_MESSAGE_CHUNK', 'AGENT_JOINED', 'AGENT_LEFT'],
  ...['AGENT_TRIGGERED_HANDOFF', 'HANDOFF_ACCEPTED', 'HANDOFF_FAILED', 'HANDOFF_TIMEOUT'],
  ...['LIVE_AGENT_JOINED', 'LIVE_AGENT_MESSAGE', 'LIVE_AGENT_LEFT'],
  ...['SYSTEM_MESSAGE', 'LANGUAGE_CHANGED', 'SESSION_END'],
]);

/**
 * Server-sent events for one page of a person: a list, and the conversation that is shown.
 *
 * | `event`  | `data`                                                    | `id`              |
 * |----------|-----------------------------------------------------------|-------------------|
 * | the list's | the whole list, at the start and whenever it has changed | none             |
 * | `entry`  | one event of the conversation that is shown, from the log | `{id}:{sequence}` |
 * | `closed` | `{ "reason": "too_many_streams" }`, the last one: not to be opened again by itself | none |
 */
export function openPersonStream(options: PersonStreamOptions): PersonStream {
  const stream = new Stream(options);
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => stream.start(controller),
      cancel: () => stream.close(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_WAITING_BYTES }),
  );
  return { body, personId: options.personId, close: (reason) => stream.close(reason) };
}

class Stream {
  readonly #options: PersonStreamOptions;
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #cursor: number;
  #lastList = '';
  #unsubscribe: readonly (() => void)[] = [];
  #cancelHeartbeat = (): void => {};
  #wanted = { list: false, log: false, heartbeat: false };
  #isWorking = false;

  constructor(options: PersonStreamOptions) {
    this.#options = options;
    this.#cursor = options.shown?.cursor ?? 0;
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const { bus, shown, listen } = this.#options;
    this.#controller = controller;
    this.#unsubscribe = [
      ...listen(
        () => void this.#want('list'),
        (event, data) => this.#send(event, data),
      ),
      ...(shown === null ? [] : [bus.subscribe(shown.sessionId, () => void this.#want('log'))]),
    ];
    const { personCalls, personId } = this.#options;
    // Of many that are opened at once, those that are closed before their turn read nothing.
    void personCalls.beginStream(personId, () => this.#want('heartbeat', 'log'));
  }

  close(reason?: StreamEnd): void {
    if (reason !== undefined) this.#send('closed', { reason });
    const controller = this.#controller;
    if (controller === null) return;
    this.#controller = null;
    this.#cancelHeartbeat();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#options.onClose();
    try {
      controller.close();
    } catch {
      // Cancelled by its reader: it is closed already.
    }
  }

  /** Asks for work. While some is under way, each kind that is asked for is done once more afterwards. Never rejects. */
  async #want(...kinds: readonly ('list' | 'log' | 'heartbeat')[]): Promise<void> {
    for (const kind of kinds) this.#wanted[kind] = true;
    if (this.#isWorking) return;
    this.#isWorking = true;
    await this.#work();
  }

  async #work(): Promise<void> {
    try {
      while (this.#controller !== null && Object.values(this.#wanted).includes(true)) {
        const wanted = this.#wanted;
        this.#wanted = { list: false, log: false, heartbeat: false };
        if (wanted.heartbeat) await this.#beat();
        if (wanted.list || wanted.heartbeat) await this.#sendList();
        if (wanted.log || wanted.heartbeat) await this.#sendEntries();
      }
    } catch (error) {
      // The page comes back and is told the reason if it lasts.
      this.#options.onFailure('keep a page up to date', error);
      this.close();
    } finally {
      this.#isWorking = false;
    }
  }

  async #beat(): Promise<void> {
    const { clock, isSignedIn, onBeat, beatMs } = this.#options;
    if (!(await isSignedIn())) {
      this.close('signed_out');
      return;
    }
    await onBeat?.();
    this.#write(': still here\n\n');
    if (this.#controller === null) return;
    this.#cancelHeartbeat = clock.setTimer(() => void this.#want('heartbeat'), beatMs);
  }

  async #sendList(): Promise<void> {
    const { event, read } = this.#options.list;
    const list = await read();
    const text = JSON.stringify(list);
    if (text === this.#lastList) return;
    this.#lastList = text;
    this.#send(event, list);
  }

  async #sendEntries(): Promise<void> {
    const { log, shown } = this.#options;
    if (shown === null) return;
    for (;;) {
      const { events, hasMore } = await log.readPage(shown.sessionId, this.#cursor, PAGE_EVENTS);
      for (const event of events) {
        this.#cursor = event.sequence;
        const type = event.type.replace('EVENT_TYPE_', '');
        if (SHOWN.has(type)) this.#send('entry', toEntry(event, type), `${shown.id}:${event.sequence}`);
      }
      if (!hasMore || this.#controller === null) return;
    }
  }

  #send(event: string, data: unknown, id?: string): void {
    this.#write(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`);
  }

  #write(text: string): void {
    if (this.#controller === null) return;
    this.#controller.enqueue(this.#encoder.encode(text));
    if ((this.#controller.desiredSize ?? 0) <= 0) this.close();
  }
}

function toEntry({ id, sequence, payload, timestampMs }: StoredEvent, type: string) {
  return { id, sequence, type, payload, at: new Date(timestampMs).toISOString() };
}

/** `Last-Event-ID: {id}:12`, as browsers send it when they come back; else `after`. */
export function readCursor(headers: Headers, shownId: string, after: string | number | null): number {
  const [id, sequence] = (headers.get('last-event-id') ?? '').split(':');
  const cursor = Number(id === shownId ? sequence : (after ?? 0));
  return Number.isSafeInteger(cursor) && cursor > 0 ? cursor : 0;
}

/** The answer that carries a stream. */
export function answerStream({ body }: PersonStream): Response {
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      // Proxies that collect answers would hold events back.
      'X-Accel-Buffering': 'no',
    },
  });
}
