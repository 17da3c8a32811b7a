import type { OutgoingEvent } from 'natter/protocol';
import type { Bus } from '../bus/index.ts';
import type { EventLog, SessionSight } from '../db/index.ts';
import { toOutgoing } from './session-writer.ts';

/** What following a session needs. */
export interface SessionFollowerOptions {
  readonly sessionId: string;
  /** The end of the log when the session was loaded. */
  readonly lastSequence: number;
  readonly bus: Bus;
  readonly log: Pick<EventLog, 'readPage'>;
  /** SESSION_END has come by, whoever wrote it. */
  readonly onEnd: (atMs: number) => void;
}

const PAGE_EVENTS = 200;

/** How far this node has heard of a session's log, over the bus or otherwise; fetches what the bus has lost. */
export class SessionFollower {
  readonly #options: SessionFollowerOptions;
  readonly #unsubscribe: () => void;
  #heard: number;

  constructor(options: SessionFollowerOptions) {
    const { bus, sessionId } = options;
    this.#options = options;
    this.#heard = options.lastSequence;
    this.#unsubscribe = bus.subscribe(sessionId, (message) => {
      if (message.kind === 'events') for (const event of message.events) this.#note(event);
    });
  }

  /** Hands the sockets of this node what the log holds and they were not told. */
  async catchUp({ lastSequence }: Pick<SessionSight, 'lastSequence'>): Promise<void> {
    const { bus, log, sessionId } = this.#options;
    while (this.#heard < lastSequence) {
      const { events: found } = await log.readPage(sessionId, this.#heard, PAGE_EVENTS);
      if (found.length === 0) return;
      // The bus may have been faster meanwhile: sockets leave out what they have sent.
      bus.deliverHere(sessionId, { kind: 'events', events: found.map(toOutgoing) });
    }
  }

  stop(): void {
    this.#unsubscribe();
  }

  #note({ sequence, type, timestampMs }: OutgoingEvent): void {
    if (sequence !== null && sequence > this.#heard) this.#heard = sequence;
    if (type === 'EVENT_TYPE_SESSION_END') this.#options.onEnd(timestampMs);
  }
}
