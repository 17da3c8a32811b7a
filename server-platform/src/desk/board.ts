import type { DeskEvent } from '../handoff/providers/index.ts';
import { isConnected, type Person, toLiveAgent } from '../staff/index.ts';
import { estimateWaitSeconds } from './estimate-wait.ts';
import { type PlannedPerson, type PlannedRequest, planOffers } from './plan-offers.ts';
import type { Queue } from './queues.ts';
import { type RequestStep, type Told, takeStep } from './request-state.ts';
import type { DeskRequest } from './requests.ts';

/** State that determines offers: the desk of one account at one moment. */
export interface Board {
  /** The open requests, in order of arrival. */
  readonly requests: readonly DeskRequest[];
  readonly people: readonly Person[];
  readonly queues: readonly Queue[];
  /** Durations of the last conversations, by queue. */
  readonly handlingMs: ReadonlyMap<string, readonly number[]>;
  /** Requests whose session has ended. */
  readonly strayIds: readonly string[];
}

/** Applies a step to one request; null when it is not possible. */
export function stepRequest(
  board: Board,
  request: DeskRequest,
  step: RequestStep,
  nowMs: number,
): DeskRequest | null {
  const result = takeStep(request, step, nowMs);
  if (result === null) return null;
  const stepped = { ...request, ...result.state };
  if (step.type === 'withdraw') return withPending(stepped, [{ type: 'failed', reason: 'visitor_left' }]);
  // An ended session gets no events.
  if (step.type === 'close') return { ...stepped, version: request.version + 1, pending: [] };
  return withPending(
    stepped,
    result.told.map((told) => toDeskEvent(board, told)),
  );
}

/**
 * Does due work: closes ended requests, withdraws unanswered offers and conversations of absent people, makes offers,
 * and computes queue positions. Changed requests are new objects.
 */
export function settleBoard(board: Board, nowMs: number): readonly DeskRequest[] {
  const due = board.requests.map((request) => {
    const step = findDueStep(board, request, nowMs);
    return (step === null ? null : stepRequest(board, request, step, nowMs)) ?? request;
  });
  const open = due.filter(({ endedAtMs }) => endedAtMs === null);
  const offers = new Map(
    planOffers(
      open.map((request) => toPlanned(board, request, nowMs)),
      toPeople(board, open, nowMs),
      nowMs,
    ).map(({ requestId, personId }) => [requestId, personId]),
  );
  const offered = due.map((request) => {
    const personId = offers.get(request.id);
    if (personId === undefined) return request;
    const step = { type: 'offer', personId, untilMs: nowMs + request.offerMs } as const;
    return stepRequest(board, request, step, nowMs) ?? request;
  });
  return countPlaces(board, offered, nowMs);
}

/** Visitors who return sooner, as after a reload, count as present throughout. */
const RELOAD_MS = 10_000;
/** A request is withdrawn after this long without a socket. */
const WITHDRAW_MS = 180_000;

/** Whether a request's visitor has closed the page; other requests go first. */
export function isAway({ leftAtMs }: Pick<DeskRequest, 'leftAtMs'>, nowMs: number): boolean {
  return leftAtMs !== null && nowMs - leftAtMs >= RELOAD_MS;
}

function findDueStep(board: Board, request: DeskRequest, nowMs: number): RequestStep | null {
  if (board.strayIds.includes(request.id)) return { type: 'close', reason: 'session_over' };
  const { leftAtMs } = request;
  if (leftAtMs !== null && request.status !== 'accepted' && nowMs - leftAtMs >= WITHDRAW_MS)
    return { type: 'withdraw' };
  const person = board.people.find(({ id }) => id === request.personId);
  if (request.status === 'offered') {
    const isThere = person !== undefined && isAvailable(person, nowMs);
    return isThere && nowMs < (request.offerExpiresAtMs ?? 0) ? null : { type: 'time_out' };
  }
  if (request.status !== 'accepted') return null;
  const isKept =
    person !== undefined && person.disabledAtMs === null && nowMs - person.seenAtMs < request.returnMs;
  return isKept ? null : { type: 'release' };
}

function isAvailable(person: Person, nowMs: number): boolean {
  return person.presence === 'available' && person.disabledAtMs === null && isConnected(person, nowMs);
}

function toPlanned(board: Board, request: DeskRequest, nowMs: number): PlannedRequest {
  const queue = board.queues.find(({ id }) => id === request.queueId);
  const skills = [...request.skills, ...(queue?.skills ?? [])];
  return { ...request, skills, isAway: isAway(request, nowMs) };
}

function toPeople({ people }: Board, open: readonly DeskRequest[], nowMs: number): readonly PlannedPerson[] {
  return people.map((person) => ({
    ...person,
    isThere: isAvailable(person, nowMs),
    load: open.filter(({ personId }) => personId === person.id).length,
  }));
}

/**
 * Whether the visitor knows that the person with this offer takes over; the request then has no place in the
 * queue.
 */
function isPromised({ status, personId, wantedPersonId }: DeskRequest): boolean {
  return status === 'offered' && personId === wantedPersonId;
}

/**
 * Computes places and estimates of requests without a person, and notifies visitors of changes. A visitor who left has
 * no place. One who had a person before is first notified of being in the queue again.
 */
function countPlaces(board: Board, requests: readonly DeskRequest[], nowMs: number): readonly DeskRequest[] {
  const ahead = new Map<string, number>();
  return requests.map((request) => {
    const { queueId, status } = request;
    if ((status !== 'waiting' && status !== 'offered') || isAway(request, nowMs) || isPromised(request))
      return request.position === null ? request : { ...request, position: null, estimatedWaitSeconds: null };
    const position = (ahead.get(queueId) ?? 0) + 1;
    ahead.set(queueId, position);
    const seats = board.people
      .filter((person) => person.queueIds.includes(queueId) && isAvailable(person, nowMs))
      .reduce((sum, { capacity }) => sum + capacity, 0);
    const handlingMs = board.handlingMs.get(queueId) ?? [];
    const estimatedWaitSeconds = estimateWaitSeconds({ position, handlingMs, seats });
    if (position === request.position && estimatedWaitSeconds === request.estimatedWaitSeconds)
      return request;
    // The visitor is absent and is notified on return.
    if (request.leftAtMs !== null) return request;
    const queueName = nameOf(board, queueId);
    const isBackInLine = request.acceptedAtMs !== null && request.position === null;
    const event: DeskEvent = {
      type: 'queue',
      queue_name: queueName,
      position_in_queue: position,
      ...(estimatedWaitSeconds !== null && { estimated_wait_seconds: estimatedWaitSeconds }),
    };
    return withPending({ ...request, position, estimatedWaitSeconds }, [
      ...(isBackInLine ? [{ type: 'accepted' as const, queue_name: queueName }] : []),
      event,
    ]);
  });
}

function withPending(request: DeskRequest, events: readonly DeskEvent[]): DeskRequest {
  const version = request.version + 1;
  const added = events.map((event, index) => ({ id: `${request.id}:${version}:${index}`, event }));
  return { ...request, version, pending: [...request.pending, ...added] };
}

function toDeskEvent(board: Board, told: Told): DeskEvent {
  const person = board.people.find(({ id }) => id === told.personId);
  const agent = toLiveAgent(person ?? { id: told.personId, name: '' });
  if (told.type === 'joined') return { type: 'joined', agent };
  const { next, reason, summary, to } = told;
  const nextName =
    to && (board.people.find(({ id }) => id === to.personId)?.name ?? nameOf(board, to.queueId));
  return {
    ...{ type: 'left', agent, next },
    ...(reason !== undefined && { reason }),
    ...(nextName && { next_name: nextName }),
    ...(summary !== undefined && { summary }),
  };
}

function nameOf({ queues }: Board, queueId: string): string {
  return queues.find(({ id }) => id === queueId)?.name ?? '';
}
