import type { Clock } from '../../kit/clock.ts';
import type { Bus } from '../../realtime/bus/index.ts';
import type { EventLog, StoredEvent } from '../../realtime/event-log/index.ts';
import type { PersonCalls } from '../../staff/index.ts';
import type { Rights, RightsEnd } from './rights.ts';

/** Options of a person's stream. */
export interface PersonStreamOptions {
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Pick<EventLog, 'readPage'>;
  readonly personId: string;
  readonly personCalls: Pick<PersonCalls, 'beginStream'>;
  /** The shown conversation, the prefix of its event ids, and the last sequence that the page has. */
  readonly shown: { readonly id: string; readonly sessionId: string; readonly cursor: number } | null;
  /** The value sent as a whole at the start and on every change; checked with every keep-alive. */
  readonly list: { readonly event: string; readonly read: (rights: Rights) => Promise<object> };
  /** Interval of keep-alives, which also detect lost bus messages. */
  readonly beatMs: number;
  /**
   * Subscribes while the stream is open: `look` reads the list again, `send` sends an event of the shown conversation
   * while the person may read it.
   */
  readonly listen: (look: () => void, send: (event: string, data: object) => void) => readonly (() => void)[];
  /** The person's current rights. */
  readonly readRights: () => Promise<Rights | RightsEnd>;
  /** Calls the listener with the person's rights, once a second. Returns a function that stops this. */
  readonly watchRights: (onRead: (rights: Rights | RightsEnd) => void) => () => void;
  /** Called with every keep-alive of a signed-in person. */
  readonly onBeat?: () => Promise<void>;
  readonly onFailure: (what: string, error: unknown) => void;
  /** Called when the stream is cut off for a slow reader. */
  readonly onSlowReader: () => void;
  readonly onClose: () => void;
}

/** An open stream. */
export interface PersonStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly personId: string;
  /** With a reason, the page receives it. */
  close(reason?: StreamEnd): void;
}

/** Why a stream is closed: the person has opened more than {@link MAX_STREAMS}, or lost the right to it. */
export type StreamEnd = 'too_many_streams' | RightsEnd;

// Over HTTP/1.1 browsers open six connections per host, and calls need one.
const MAX_STREAMS = 5;

/** Closes the person's oldest streams to make room for one more. */
export function makeRoomForStream(streams: Iterable<PersonStream>, personId: string): void {
  const own = [...streams].filter((stream) => stream.personId === personId);
  for (const stream of own.slice(0, Math.max(0, own.length - MAX_STREAMS + 1)))
    stream.close('too_many_streams');
}

const PAGE_EVENTS = 200;
// A list of this size is sent at most once in this time, however often it changes.
const LARGE_LIST_CHARACTERS = 16_384;
const LARGE_LIST_REST_MS = 1_000;
// A reader this slow is cut off; it reconnects with its cursor.
const MAX_WAITING_BYTES = 4_194_304;

/** The events that a transcript shows. */
export const SHOWN_EVENTS: ReadonlySet<string> = new Set([
  ...['USER_MESSAGE', 'AGENT_MESSAGE', 'AGENT_MESSAGE_CHUNK', 'AGENT_JOINED', 'AGENT_LEFT'],
  ...['AGENT_TRIGGERED_HANDOFF', 'HANDOFF_ACCEPTED', 'HANDOFF_FAILED', 'HANDOFF_TIMEOUT'],
  ...['LIVE_AGENT_JOINED', 'LIVE_AGENT_MESSAGE', 'LIVE_AGENT_LEFT'],
  ...['SYSTEM_MESSAGE', 'LANGUAGE_CHANGED', 'SESSION_END'],
]);

/**
 * Server-sent events for one page of a person: a list, and the shown conversation.
 *
 * | `event`  | `data`                                                    | `id`              |
 * |----------|-----------------------------------------------------------|-------------------|
 * | the list's | the whole list, at the start and whenever it has changed | none             |
 * | `entry`  | one event of the conversation that is shown, from the log | `{id}:{sequence}` |
 * | `closed` | `{ "reason": "too_many_streams" }`, the last one: do not reopen automatically | none |
 *
 * Within two seconds after a right ends, either the stream ends (`signed_out`, `not_allowed`), or the affected list
 * items and entries do.
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
  /** Set while the list must not be sent again yet; null: it may be sent. */
  #cancelListRest: (() => void) | null = null;
  #wanted = { list: false, log: false, heartbeat: false };
  #isWorking = false;
  /** Whether the list has changed meanwhile. */
  #isListDue = false;
  /** `null` until first read. */
  #rights: Rights | null = null;

  constructor(options: PersonStreamOptions) {
    this.#options = options;
    this.#cursor = options.shown?.cursor ?? 0;
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const { bus, shown, listen, watchRights } = this.#options;
    this.#controller = controller;
    this.#unsubscribe = [
      ...listen(
        () => void this.#want('list'),
        (event, data) => {
          if (this.#rights?.mayRead === true) this.#send(event, data);
        },
      ),
      watchRights((rights) => this.#setRights(rights)),
      ...(shown === null ? [] : [bus.subscribe(shown.sessionId, () => void this.#want('log'))]),
    ];
    const { personCalls, personId } = this.#options;
    // Of many streams opened at once, those closed before their turn read nothing.
    void personCalls.beginStream(personId, () => this.#want('heartbeat', 'log'));
  }

  close(reason?: StreamEnd): void {
    if (reason !== undefined) this.#send('closed', { reason });
    const controller = this.#controller;
    if (controller === null) return;
    this.#controller = null;
    this.#cancelHeartbeat();
    this.#cancelListRest?.();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#options.onClose();
    try {
      controller.close();
    } catch {
      // Its reader has cancelled, so it is closed already.
    }
  }

  /** Requests work. While some is running, each requested kind runs once more afterwards. Never rejects. */
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
        if (wanted.list || wanted.heartbeat) this.#setRights(await this.#options.readRights());
        if (this.#controller === null || this.#rights === null) return;
        if (wanted.heartbeat) await this.#beat();
        if (wanted.list || wanted.heartbeat) await this.#sendListInTime(this.#rights);
        if (wanted.log || wanted.heartbeat) await this.#sendEntries();
      }
    } catch (error) {
      // The page reconnects and gets the reason if it persists.
      this.#options.onFailure('keep a page up to date', error);
      this.close();
    } finally {
      this.#isWorking = false;
    }
  }

  async #beat(): Promise<void> {
    const { clock, onBeat, beatMs } = this.#options;
    await onBeat?.();
    this.#write(': still here\n\n');
    if (this.#controller === null) return;
    this.#cancelHeartbeat = clock.setTimer(() => void this.#want('heartbeat'), beatMs);
  }

  /**
   * Closes the stream if the rights have ended; otherwise re-reads the list and newly readable entries after a change.
   */
  #setRights(rights: Rights | RightsEnd): void {
    if (typeof rights === 'string') {
      this.close(rights);
      return;
    }
    const before = this.#rights;
    if (before !== null && areSameRights(before, rights)) return;
    this.#rights = rights;
    if (before !== null) void this.#want('list', 'log');
  }

  /** Sends the list now, or after the minimum interval with all changes until then. */
  async #sendListInTime(rights: Rights): Promise<void> {
    if (this.#cancelListRest !== null) {
      this.#isListDue = true;
      return;
    }
    const before = this.#lastList;
    await this.#sendList(rights);
    if (this.#controller === null || this.#lastList === before) return;
    if (this.#lastList.length < LARGE_LIST_CHARACTERS) return;
    this.#cancelListRest = this.#options.clock.setTimer(() => {
      this.#cancelListRest = null;
      if (this.#isListDue) void this.#want('list');
      this.#isListDue = false;
    }, LARGE_LIST_REST_MS);
  }

  async #sendList(rights: Rights): Promise<void> {
    const { event, read } = this.#options.list;
    const list = await read(rights);
    // The right to it may have ended meanwhile.
    if (this.#rights !== rights) return void this.#want('list');
    const text = JSON.stringify(list);
    if (text === this.#lastList) return;
    this.#lastList = text;
    this.#send(event, list);
  }

  async #sendEntries(): Promise<void> {
    const { log, shown } = this.#options;
    if (shown === null) return;
    while (this.#rights?.mayRead === true) {
      const { events, hasMore } = await log.readPage(shown.sessionId, this.#cursor, PAGE_EVENTS);
      if (this.#rights?.mayRead !== true) return;
      for (const event of events) {
        this.#cursor = event.sequence;
        const type = event.type.replace('EVENT_TYPE_', '');
        if (SHOWN_EVENTS.has(type))
          this.#send('entry', toEntry(event, type), `${shown.id}:${event.sequence}`);
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
    if ((this.#controller.desiredSize ?? 0) > 0) return;
    this.#options.onSlowReader();
    this.close();
  }
}

function areSameRights(one: Rights, other: Rights): boolean {
  const { role, queueIds } = one.person;
  return (
    one.mayRead === other.mayRead &&
    role === other.person.role &&
    queueIds.toSorted().join() === other.person.queueIds.toSorted().join()
  );
}

/** An event of the log as pages of people get it. */
export function toEntry({ id, sequence, payload, timestampMs }: StoredEvent, type: string) {
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
      // Buffering proxies would delay events.
      'X-Accel-Buffering': 'no',
    },
  });
}
