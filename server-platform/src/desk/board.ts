import type { DeskEvent } from '../handoff/index.ts';
import { estimateWaitSeconds } from './estimate-wait.ts';
import { isConnected, type Person, toLiveAgent } from './people.ts';
import { type PlannedPerson, type PlannedRequest, planOffers } from './plan-offers.ts';
import type { Queue } from './queues.ts';
import { type RequestStep, type Told, takeStep } from './request-state.ts';
import type { DeskRequest } from './requests.ts';

/** Everything that decides who is offered what: the desk of one account at one moment. */
export interface Board {
  /** The open ones, in the order in which they came. */
  readonly requests: readonly DeskRequest[];
  readonly people: readonly Person[];
  readonly queues: readonly Queue[];
  /** How long the last conversations took, by queue. */
  readonly handlingMs: ReadonlyMap<string, readonly number[]>;
  /** Requests whose session is over. */
  readonly strayIds: readonly string[];
}

/** Takes a step of one request; null when it cannot be taken. */
export function stepRequest(
  board: Board,
  request: DeskRequest,
  step: RequestStep,
  nowMs: number,
): DeskRequest | null {
  const result = takeStep(request, step, nowMs);
  if (result === null) return null;
  const stepped = { ...request, ...result.state };
  // A session that is over is told nothing.
  if (step.type === 'close') return { ...stepped, version: request.version + 1, pending: [] };
  return withPending(
    stepped,
    result.told.map((told) => toDeskEvent(board, told)),
  );
}

/**
 * Does what is due: closes what is over, takes back offers that were not answered and conversations whose person is gone,
 * makes offers, and counts the places in the queues. What has changed is another object.
 */
export function settleBoard(board: Board, nowMs: number): readonly DeskRequest[] {
  const due = board.requests.map((request) => {
    const step = findDueStep(board, request, nowMs);
    return (step === null ? null : stepRequest(board, request, step, nowMs)) ?? request;
  });
  const open = due.filter(({ endedAtMs }) => endedAtMs === null);
  const offers = new Map(
    planOffers(
      open.map((request) => toPlanned(board, request)),
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

function findDueStep(board: Board, request: DeskRequest, nowMs: number): RequestStep | null {
  if (board.strayIds.includes(request.id)) return { type: 'close', reason: 'session_over' };
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

function toPlanned(board: Board, request: DeskRequest): PlannedRequest {
  const queue = board.queues.find(({ id }) => id === request.queueId);
  return { ...request, skills: [...request.skills, ...(queue?.skills ?? [])] };
}

function toPeople({ people }: Board, open: readonly DeskRequest[], nowMs: number): readonly PlannedPerson[] {
  return people.map((person) => ({
    ...person,
    isThere: isAvailable(person, nowMs),
    load: open.filter(({ personId }) => personId === person.id).length,
  }));
}

/** Places and estimates of those without a person; a visitor is told when they change. */
function countPlaces(board: Board, requests: readonly DeskRequest[], nowMs: number): readonly DeskRequest[] {
  const ahead = new Map<string, number>();
  return requests.map((request) => {
    const { queueId, status } = request;
    if (status !== 'waiting' && status !== 'offered')
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
    const event: DeskEvent = {
      type: 'queue',
      queue_name: nameOf(board, queueId),
      position_in_queue: position,
      ...(estimatedWaitSeconds !== null && { estimated_wait_seconds: estimatedWaitSeconds }),
    };
    return withPending({ ...request, position, estimatedWaitSeconds }, [event]);
  });
}

function withPending(request: DeskRequest, events: readonly DeskEvent[]): DeskRequest {
  const version = request.version + 1;
  const added = events.map((event, index) => ({ id: `${request.id}:${version}:${index}`, event }));
  return { ...request, version, pending: [...request.pending, ...added] };
}

function toDeskEvent(board: Board, told: Told): DeskEvent {
  if (told.type === 'accepted') return { type: 'accepted', queue_name: nameOf(board, told.queueId) };
  const person = board.people.find(({ id }) => id === told.personId);
  const agent = toLiveAgent(person ?? { id: told.personId, name: '' });
  if (told.type === 'joined') return { type: 'joined', agent };
  const { next, reason } = told;
  return { type: 'left', agent, next, ...(reason !== undefined && { reason }) };
}

function nameOf({ queues }: Board, queueId: string): string {
  return queues.find(({ id }) => id === queueId)?.name ?? '';
}
