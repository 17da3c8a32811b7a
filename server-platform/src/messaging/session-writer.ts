import {
  CLOSE_CODES,
  type ClientEvent,
  type CustomMap,
  type KnownEventType,
  type OutgoingEvent,
} from 'natter/protocol';
import type { Bus } from '../bus/index.ts';
import {
  type AppendEffects,
  type EventLog,
  isDatabaseError,
  type NewEvent,
  type StoredEvent,
} from '../db/index.ts';
import type { EventDraft } from './answer-writer.ts';
import type { Clock } from './clock.ts';
import { createEventId, transientEvent } from './outgoing.ts';

/**
 * Why a session can no longer be written by this process:
 * - `stale_owner`: another node owns it by now.
 * - `session_closed`: it is ended or expired.
 * - `session_missing`: it was deleted.
 */
export type SessionLossCode = 'stale_owner' | 'session_closed' | 'session_missing';

/** The session was taken away or is over; nothing was written. Recognise it with {@link isSessionLoss}. */
export class SessionLossError extends Error {
  override readonly name = 'SessionLossError';
  readonly code: SessionLossCode;
  /** Who owns it, when that is known. */
  readonly owner: string | null;

  constructor(code: SessionLossCode, owner: string | null = null) {
    super(code === 'stale_owner' ? 'Another node owns the session.' : 'The session is over.');
    this.code = code;
    this.owner = owner;
  }
}

/** The stored events that a client sent: each of them is activity of the user (HB-3). */
const USER_EVENTS: ReadonlySet<string> = new Set<ClientEvent['type']>([
  'EVENT_TYPE_REQUEST_AGENT_JOIN',
  'EVENT_TYPE_USER_MESSAGE',
  'EVENT_TYPE_USER_END_SESSION',
  'EVENT_TYPE_CSAT_RESPONSE',
]);

/** Whether a caught value is a {@link SessionLossError}. */
export function isSessionLoss(error: unknown): error is SessionLossError {
  return error instanceof Error && error.name === 'SessionLossError';
}

/** How a socket is closed for a write that failed: both codes mean "come back", and 1013 that nothing is amiss (4.5). */
export function closeCodeOf(error: unknown): number {
  const isOverload = isDatabaseError(error) && error.code === 'overloaded';
  return isOverload ? CLOSE_CODES.overload : CLOSE_CODES.internalError;
}

/** A draft with what only client events have. */
export interface ClientEventDraft extends EventDraft {
  readonly custom?: CustomMap | null;
  readonly clientEventId?: string | null;
}

/** What became of an append that was not refused. */
export type Written =
  | {
      readonly status: 'appended';
      readonly events: readonly OutgoingEvent[];
      readonly turn: { readonly id: string; readonly inputSequence: number } | null;
    }
  | { readonly status: 'repeated'; readonly original: OutgoingEvent };

/** What a writer needs from its surroundings. */
export interface SessionWriterOptions {
  readonly sessionId: string;
  /** The epoch under which this process owns the session. */
  readonly epoch: number;
  readonly log: EventLog;
  readonly bus: Bus;
  readonly clock: Clock;
  /** Called when the user's activity was stored with an event. */
  readonly onActivityStored: (atMs: number) => void;
  /** Hears of every event that was committed, in order. */
  readonly onCommitted: (event: OutgoingEvent) => void;
  /** Hears of every append that failed; the caller gets the same error. */
  readonly onFailure: (error: unknown) => void;
}

/** The one way by which events of an owned session come to be: stored first, then sent. */
export class SessionWriter {
  readonly #options: SessionWriterOptions;
  #isSealed = false;

  constructor(options: SessionWriterOptions) {
    this.#options = options;
  }

  get epoch(): number {
    return this.#options.epoch;
  }

  /** From here on only the append that seals is let through: no event follows SESSION_END (8.9). */
  seal(): void {
    this.#isSealed = true;
  }

  /**
   * Stores events with their effects in one commit and publishes them. Rejects with a {@link SessionLossError} or a
   * `DatabaseError`.
   */
  async append(
    drafts: readonly ClientEventDraft[],
    effects?: AppendEffects,
    options: { readonly isSealing?: boolean } = {},
  ): Promise<Written> {
    const { sessionId, epoch, log, clock, onFailure, onActivityStored } = this.#options;
    // What the user did and when are one commit: there is no other statement for it.
    const lastActivityMs = drafts.some(isFromUser) ? clock.now() : null;
    const session = lastActivityMs === null ? effects?.session : { ...effects?.session, lastActivityMs };
    try {
      if (this.#isSealed && options.isSealing !== true) throw new SessionLossError('session_closed');
      const result = await log.append({
        sessionId,
        epoch,
        events: drafts.map((draft) => this.#toNewEvent(draft)),
        effects: session === undefined ? effects : { ...effects, session },
      });
      switch (result.status) {
        case 'repeated':
          return { status: 'repeated', original: toOutgoing(result.original) };
        case 'appended': {
          const events = result.events.map(toOutgoing);
          if (lastActivityMs !== null) onActivityStored(lastActivityMs);
          this.#announce(events);
          return { status: 'appended', events, turn: result.turn };
        }
        case 'stale_owner':
        case 'session_closed':
        case 'session_missing':
          throw new SessionLossError(result.status);
      }
    } catch (error) {
      onFailure(error);
      throw error;
    }
  }

  /** Sends an event that is not history to every socket of the session. Source: messaging.md 5.5. */
  publishTransient(type: KnownEventType, payload: Readonly<Record<string, unknown>> = {}): void {
    const { bus, sessionId, clock } = this.#options;
    if (this.#isSealed) return;
    bus.publish(sessionId, { kind: 'events', events: [transientEvent(clock.now(), type, payload)] });
  }

  #announce(events: readonly OutgoingEvent[]): void {
    if (events.length === 0) return;
    for (const event of events) this.#options.onCommitted(event);
    this.#options.bus.publish(this.#options.sessionId, { kind: 'events', events });
  }

  #toNewEvent(draft: ClientEventDraft): NewEvent {
    const nowMs = this.#options.clock.now();
    return {
      id: createEventId(nowMs),
      type: draft.type,
      payload: draft.payload,
      custom: draft.custom ?? null,
      clientEventId: draft.clientEventId ?? null,
      timestampMs: nowMs,
    };
  }
}

function isFromUser({ type }: ClientEventDraft): boolean {
  return USER_EVENTS.has(type);
}

/** An event of the log as the protocol's writer takes it. */
export function toOutgoing(event: StoredEvent): OutgoingEvent {
  const { id, sequence, timestampMs, type, payload, custom } = event;
  // The log holds what this platform's writers put there, and they take known types only.
  return { id, sequence, timestampMs, type: type as KnownEventType, payload, custom };
}
