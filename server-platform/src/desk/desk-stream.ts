import type { Bus } from '../bus/index.ts';
import type { Clock } from '../clock.ts';
import type { Database, EventLog, StoredEvent } from '../db/index.ts';
import type { Desk } from './desk.ts';
import { viewInbox } from './desk-views.ts';
import { findPersonById, noteSeen, type Person } from './people.ts';
import type { DeskRequest } from './requests.ts';

/** What a desk's stream is made from. */
export interface DeskStreamOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Pick<EventLog, 'readPage'>;
  readonly desk: Desk;
  readonly person: Person;
  /** The conversation that is shown, and the last sequence that the desk has of it. */
  readonly shown: { readonly request: DeskRequest; readonly cursor: number } | null;
  /** Whether the sign-in still lasts. */
  readonly isSignedIn: () => Promise<boolean>;
  readonly onFailure: (what: string, error: unknown) => void;
  readonly onClose: () => void;
}

/** An open stream. */
export interface DeskStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly personId: string;
  /** With a reason, the desk is told it. */
  close(reason?: StreamEnd): void;
}

/** Why a stream is closed: the person has opened more than {@link MAX_STREAMS}, or is signed out. */
export type StreamEnd = 'too_many_streams' | 'signed_out';

// Browsers open six connections to a host at a time over HTTP/1.1, and calls need one.
const MAX_STREAMS = 5;

/** Closes the person's oldest streams, so that one more is within the limit. */
export function makeRoomForStream(streams: Iterable<DeskStream>, personId: string): void {
  const own = [...streams].filter((stream) => stream.personId === personId);
  for (const stream of own.slice(0, Math.max(0, own.length - MAX_STREAMS + 1)))
    stream.close('too_many_streams');
}

/** Between two signs of life, which also find what the bus has lost. */
const HEARTBEAT_MS = 10_000;

const PAGE_EVENTS = 200;
// A desk that reads this slowly is cut off; it comes back with its cursor.
const MAX_WAITING_BYTES = 4_194_304;

/** The events that a desk shows. */
const SHOWN = new Set([
  ...['USER_MESSAGE', 'AGENT_MESSAGE', 'AGENT_MESSAGE_CHUNK', 'AGENT_JOINED', 'AGENT_LEFT'],
  ...['AGENT_TRIGGERED_HANDOFF', 'HANDOFF_ACCEPTED', 'HANDOFF_FAILED', 'HANDOFF_TIMEOUT'],
  ...['LIVE_AGENT_JOINED', 'LIVE_AGENT_MESSAGE', 'LIVE_AGENT_LEFT'],
  ...['SYSTEM_MESSAGE', 'LANGUAGE_CHANGED', 'SESSION_END'],
]);

/**
 * Server-sent events for one desk:
 *
 * | `event` | `data`                                                        | `id`                    |
 * |---------|---------------------------------------------------------------|-------------------------|
 * | `inbox` | the whole inbox, at the start and whenever it has changed     | none                    |
 * | `entry` | one event of the conversation that is shown, from the log     | `{request}:{sequence}`  |
 * | `typing` | `{ "is_typing": true }`: the visitor                         | none                    |
 * | `closed` | `{ "reason": "too_many_streams" }`, the last one: not to be opened again by itself | none |
 *
 * While it is open, its person is there.
 */
export function openDeskStream(options: DeskStreamOptions): DeskStream {
  const stream = new Stream(options);
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => stream.start(controller),
      cancel: () => stream.close(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_WAITING_BYTES }),
  );
  return { body, personId: options.person.id, close: (reason) => stream.close(reason) };
}

class Stream {
  readonly #options: DeskStreamOptions;
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #cursor: number;
  #lastInbox = '';
  #unsubscribe: readonly (() => void)[] = [];
  #cancelHeartbeat = (): void => {};
  #wanted = { inbox: false, log: false, heartbeat: false };
  #isWorking = false;

  constructor(options: DeskStreamOptions) {
    this.#options = options;
    this.#cursor = options.shown?.cursor ?? 0;
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const { desk, bus, person, shown } = this.#options;
    this.#controller = controller;
    this.#unsubscribe = [
      desk.onChange(person.accountId, () => this.#want('inbox')),
      ...(shown === null
        ? []
        : [
            bus.subscribe(shown.request.sessionId, () => this.#want('log')),
            desk.onTyping(shown.request.id, (isTyping) => this.#send('typing', { is_typing: isTyping })),
          ]),
    ];
    this.#want('heartbeat', 'log');
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

  /** One piece of work at a time; what is wanted meanwhile is done once, afterwards. */
  #want(...kinds: readonly ('inbox' | 'log' | 'heartbeat')[]): void {
    for (const kind of kinds) this.#wanted[kind] = true;
    if (this.#isWorking) return;
    this.#isWorking = true;
    void this.#work();
  }

  async #work(): Promise<void> {
    try {
      while (this.#controller !== null && Object.values(this.#wanted).includes(true)) {
        const wanted = this.#wanted;
        this.#wanted = { inbox: false, log: false, heartbeat: false };
        if (wanted.heartbeat) await this.#beat();
        if (wanted.inbox || wanted.heartbeat) await this.#sendInbox();
        if (wanted.log || wanted.heartbeat) await this.#sendEntries();
      }
    } catch (error) {
      // The desk comes back and is told the reason if it lasts.
      this.#options.onFailure('keep a desk up to date', error);
      this.close();
    } finally {
      this.#isWorking = false;
    }
  }

  async #beat(): Promise<void> {
    const { database, clock, desk, person, isSignedIn } = this.#options;
    if (!(await isSignedIn())) {
      this.close('signed_out');
      return;
    }
    const before = await findPersonById(database, person.id);
    const nowMs = clock.now();
    await noteSeen(database, person.id, nowMs);
    // Somebody who was away is offered what waits.
    if (before !== null && nowMs - before.seenAtMs >= HEARTBEAT_MS * 2) await desk.settle(person.accountId);
    this.#write(': still here\n\n');
    if (this.#controller === null) return;
    this.#cancelHeartbeat = clock.setTimer(() => this.#want('heartbeat'), HEARTBEAT_MS);
  }

  async #sendInbox(): Promise<void> {
    const { database, clock, person } = this.#options;
    const inbox = await viewInbox(database, person, clock.now());
    const text = JSON.stringify(inbox);
    if (text === this.#lastInbox) return;
    this.#lastInbox = text;
    this.#send('inbox', inbox);
  }

  async #sendEntries(): Promise<void> {
    const { log, shown } = this.#options;
    if (shown === null) return;
    for (;;) {
      const { events, hasMore } = await log.readPage(shown.request.sessionId, this.#cursor, PAGE_EVENTS);
      for (const event of events) {
        this.#cursor = event.sequence;
        const type = event.type.replace('EVENT_TYPE_', '');
        if (SHOWN.has(type))
          this.#send('entry', toEntry(event, type), `${shown.request.id}:${event.sequence}`);
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
