/** Status of a request. `waiting`, `offered` and `accepted` are open. */
export type RequestStatus = 'waiting' | 'offered' | 'accepted' | 'returned' | 'ended' | 'abandoned';

/** The part of a request that its steps change. */
export interface RequestState {
  readonly status: RequestStatus;
  readonly queueId: string;
  /** The person with the offer, or who accepted it. */
  readonly personId: string | null;
  /** The person who gets the next offer. */
  readonly wantedPersonId: string | null;
  /** When people declined it, by person id. */
  readonly declined: Readonly<Record<string, number>>;
  readonly offerExpiresAtMs: number | null;
  readonly acceptedAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly endReason: string | null;
}

/** A step of a request. */
export type RequestStep =
  | { readonly type: 'offer'; readonly personId: string; readonly untilMs: number }
  | { readonly type: 'accept'; readonly personId: string }
  | { readonly type: 'decline'; readonly personId: string }
  /** The offer was not answered, or its person has left. */
  | { readonly type: 'time_out' }
  /** A person takes it without an offer; with `isTakeOver` also from others. */
  | { readonly type: 'take'; readonly personId: string; readonly isTakeOver: boolean }
  | { readonly type: 'transfer'; readonly queueId: string; readonly toPersonId: string | null }
  /** The person was absent for too long, so it returns to the queue. */
  | { readonly type: 'release' }
  /** The automated agent continues. */
  | { readonly type: 'return'; readonly summary?: string | undefined }
  | { readonly type: 'end' }
  /** The visitor has left before a person accepted. */
  | { readonly type: 'withdraw' }
  /** The session has ended, or no longer waits for a person. */
  | { readonly type: 'close'; readonly reason: string };

/** The event for the visitor's session that a step causes. */
export type Told =
  | { readonly type: 'joined'; readonly personId: string }
  | {
      readonly type: 'left';
      readonly personId: string;
      readonly next: 'wait' | 'agent' | 'end';
      readonly reason?: string;
      /** Summary for the automated agent. */
      readonly summary?: string;
      /** The person or queue that receives it. */
      readonly to?: { readonly personId: string | null; readonly queueId: string };
    };

/** Result of a step; null: it is not possible in this state. */
export type StepResult = { readonly state: RequestState; readonly told: readonly Told[] } | null;

/**
 * Applies a step to a request.
 *
 * | from       | step                | to                   |
 * |------------|---------------------|----------------------|
 * | `waiting`  | offer               | `offered`            |
 * | `offered`  | accept by its person | `accepted`          |
 * | `offered`  | decline, time-out   | `waiting`            |
 * | `accepted` | transfer, release   | `waiting`            |
 * | `accepted` | return              | `returned`           |
 * | `accepted` | end                 | `ended`              |
 * | `waiting`, own offer; taking over: open | take | `accepted` |
 * | `waiting`, `offered` | withdraw  | `abandoned`          |
 * | open       | close               | `ended`, or `abandoned` when no person had accepted it |
 */
export function takeStep(state: RequestState, step: RequestStep, nowMs: number): StepResult {
  if (state.endedAtMs !== null) return null;
  switch (step.type) {
    case 'take': {
      const isFree = state.status === 'waiting' || state.personId === step.personId;
      return isFree || step.isTakeOver ? take(state, step.personId, nowMs) : null;
    }
    case 'close': {
      const status = state.acceptedAtMs === null ? 'abandoned' : 'ended';
      return { state: over(state, status, step.reason, nowMs), told: [] };
    }
    case 'withdraw':
      if (state.status === 'accepted') return null;
      return { state: over(state, 'abandoned', 'visitor_left', nowMs), told: [] };
    case 'offer':
      if (state.status !== 'waiting') return null;
      return {
        state: { ...state, status: 'offered', personId: step.personId, offerExpiresAtMs: step.untilMs },
        told: [],
      };
    case 'accept':
    case 'decline':
      if (state.status !== 'offered' || state.personId !== step.personId) return null;
      return step.type === 'accept' ? take(state, step.personId, nowMs) : decline(state, nowMs);
    case 'time_out':
      return state.status === 'offered' ? decline(state, nowMs) : null;
    default:
      return state.status === 'accepted' && state.personId !== null
        ? leave(state, state.personId, step, nowMs)
        : null;
  }
}

function take(state: RequestState, personId: string, nowMs: number): StepResult {
  const former = state.status === 'accepted' ? state.personId : null;
  if (former === personId) return null;
  return {
    state: {
      ...state,
      status: 'accepted',
      personId,
      wantedPersonId: null,
      declined: {},
      offerExpiresAtMs: null,
      acceptedAtMs: state.acceptedAtMs ?? nowMs,
    },
    told: [
      ...(former === null
        ? []
        : [{ type: 'left' as const, personId: former, next: 'wait' as const, reason: 'taken_over' }]),
      { type: 'joined', personId },
    ],
  };
}

function decline(state: RequestState, nowMs: number): StepResult {
  const declined = state.personId === null ? state.declined : { ...state.declined, [state.personId]: nowMs };
  return { state: { ...waitAgain(state), declined }, told: [] };
}

function leave(
  state: RequestState,
  personId: string,
  step: Extract<RequestStep, { readonly type: 'transfer' | 'release' | 'return' | 'end' }>,
  nowMs: number,
): StepResult {
  const left = (next: 'wait' | 'agent' | 'end', reason?: string) => ({
    type: 'left' as const,
    personId,
    next,
    ...(reason !== undefined && { reason }),
  });
  switch (step.type) {
    case 'transfer':
      return {
        state: {
          ...waitAgain(state),
          queueId: step.queueId,
          wantedPersonId: step.toPersonId,
          declined: { [personId]: nowMs },
        },
        told: [{ ...left('wait', 'transferred'), to: { personId: step.toPersonId, queueId: step.queueId } }],
      };
    case 'release':
      return { state: waitAgain(state), told: [left('wait', 'away')] };
    case 'return':
      return {
        state: over(state, 'returned', 'returned', nowMs),
        told: [{ ...left('agent'), ...(step.summary !== undefined && { summary: step.summary }) }],
      };
    case 'end':
      return { state: over(state, 'ended', 'person', nowMs), told: [left('end')] };
  }
}

function waitAgain(state: RequestState): RequestState {
  return { ...state, status: 'waiting', personId: null, wantedPersonId: null, offerExpiresAtMs: null };
}

function over(
  state: RequestState,
  status: 'returned' | 'ended' | 'abandoned',
  endReason: string,
  nowMs: number,
): RequestState {
  const personId = state.status === 'accepted' ? state.personId : null;
  return { ...state, status, personId, endReason, endedAtMs: nowMs, offerExpiresAtMs: null };
}
