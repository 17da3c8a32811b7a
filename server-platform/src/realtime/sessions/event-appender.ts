import type { ClientEvent, OutgoingEvent } from 'natter/protocol';
import { createEventId } from '../../db/ids/index.ts';
import { isDatabaseError } from '../../db/index.ts';
import type { AppendOutcome, ClientEventDraft } from '../conversation/index.ts';
import { toOutgoing } from '../conversation/index.ts';
import type { AppendEffects, NewEvent } from '../event-log/index.ts';
import type { MessagingContext } from '../messaging-context.ts';
import { isSessionLoss, SessionLossError } from '../session-loss.ts';
import type { SessionTraceEvent } from '../trace/index.ts';
import type { SessionLease } from './session-lease.ts';
import type { SessionState } from './session-state.ts';

/** Event types sent by clients; storing one counts as user activity (HB-3). */
const USER_EVENTS: ReadonlySet<string> = new Set<ClientEvent['type']>([
  'EVENT_TYPE_REQUEST_AGENT_JOIN',
  'EVENT_TYPE_USER_MESSAGE',
  'EVENT_TYPE_USER_END_SESSION',
  'EVENT_TYPE_CSAT_RESPONSE',
  'EVENT_TYPE_X_FEEDBACK',
]);

/** Stores and publishes all events of an owned session. */
export class EventAppender {
  readonly #context: MessagingContext;
  readonly #state: SessionState;
  readonly #lease: SessionLease;

  constructor(context: MessagingContext, state: SessionState, lease: SessionLease) {
    this.#context = context;
    this.#state = state;
    this.#lease = lease;
  }

  /**
   * Stores events with their effects in one commit, applies both to the state in memory, and publishes the events.
   * Readers recover from lost bus messages, because they notice the gap in the sequence. Rejects with a {@link
   * SessionLossError} or a `DatabaseError`.
   */
  async append(drafts: readonly ClientEventDraft[], effects: AppendEffects = {}): Promise<AppendOutcome> {
    const { log, clock, bus, activity, observer } = this.#context;
    const { id } = this.#state.row;
    const epoch = this.#lease.epoch;
    if (epoch === null) throw new SessionLossError('stale_owner', this.#lease.owner);
    if (this.#state.isEnding && !drafts.some(isSessionEnd)) throw new SessionLossError('session_closed');
    const nowMs = clock.now();
    // The event's commit also stores the activity time, so no other statement is needed.
    const isActivity = drafts.some(isFromUser);
    const session = isActivity ? { ...effects.session, lastActivityMs: nowMs } : effects.session;
    const events = drafts.map((draft) => toNewEvent(draft, nowMs));
    let result: Awaited<ReturnType<typeof log.append>>;
    try {
      result = await log.append({ sessionId: id, epoch, events, effects: { ...effects, session } });
      if (result.status === 'repeated') return { status: 'repeated', original: toOutgoing(result.original) };
      if (result.status !== 'appended') throw new SessionLossError(result.status);
    } catch (error) {
      if (isOutcomeUnknown(error) && this.#lease.epoch === epoch) this.#lease.onLeaseLost(error);
      throw error;
    }
    const appended = result.events.map(toOutgoing);
    observer.happened(id, toTraceEvent(appended, clock.now() - nowMs));
    if (isActivity) activity.settle(id, nowMs);
    // Otherwise another node has acquired the session and read these events from the log.
    if (this.#lease.epoch === epoch) {
      this.#state.applyEvents(appended);
      if (effects.session !== undefined) this.#state.applyPatch(effects.session);
    }
    if (appended.length > 0) bus.publish(id, { kind: 'events', events: appended });
    return { status: 'appended', events: appended, turn: result.turn };
  }
}

/** False after the session's end and under overload, because nothing was written then. */
function isOutcomeUnknown(error: unknown): boolean {
  if (isSessionLoss(error)) return error.code === 'stale_owner';
  return !(isDatabaseError(error) && error.code === 'overloaded');
}

function toTraceEvent(events: readonly OutgoingEvent[], ms: number): SessionTraceEvent {
  const types = [...new Set(events.map(({ type }) => type))];
  const first = events[0]?.sequence ?? null;
  return { kind: 'committed', types, first, last: events.at(-1)?.sequence ?? null, ms };
}

function isSessionEnd({ type }: ClientEventDraft): boolean {
  return type === 'EVENT_TYPE_SESSION_END';
}

function isFromUser({ type }: ClientEventDraft): boolean {
  return USER_EVENTS.has(type);
}

function toNewEvent(draft: ClientEventDraft, nowMs: number): NewEvent {
  return {
    id: createEventId(nowMs),
    type: draft.type,
    payload: draft.payload,
    custom: draft.custom ?? null,
    clientEventId: draft.clientEventId ?? null,
    timestampMs: nowMs,
  };
}
