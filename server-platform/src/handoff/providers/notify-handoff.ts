import { type Clock, sleep } from '../../kit/clock.ts';
import { isPeerError, type Peers } from '../../realtime/bus/index.ts';
import type { SessionLocation } from '../../realtime/index.ts';
import { type DeskEvent, deliverToSession, isLastEvent } from './desk-event.ts';
import { OpenHandoffs } from './open-handoffs.ts';

/** What telling a hand-off came to. */
export type Told =
  | { readonly status: 'told'; readonly messageId: string | null }
  | { readonly status: 'unknown' }
  /** Not delivered: another node has the conversation, `owner` if that is known. */
  | { readonly status: 'elsewhere'; readonly owner: string | null };

/** An event for a hand-off. */
export interface HandoffNotification {
  readonly handoffId: string;
  readonly projectId: string;
  readonly event: DeskEvent;
  /** An event delivered twice under one id is stored once. */
  readonly eventId?: string;
}

/** Delivers desk events to hand-offs on any node. */
export type NotifyHandoff = (telling: HandoffNotification) => Promise<Told>;

/** How hand-offs are found. */
export interface NotifyHandoffOptions {
  /** Hand-offs of this node. */
  readonly open: OpenHandoffs;
  /** Name of the question between nodes. */
  readonly ask: string;
  readonly peers: Peers;
  readonly clock: Clock;
  readonly ensureSessionLoaded: (sessionId: string) => Promise<SessionLocation>;
}

// A conversation that changes its node is somewhere again in a moment.
const ATTEMPTS = 3;
const RETRY_MS = 200;
const ANSWER_MS = 5_000;

/** Creates the route to hand-offs on any node. */
export function createNotifyHandoff(options: NotifyHandoffOptions): NotifyHandoff {
  const { open, ask, peers, clock, ensureSessionLoaded } = options;
  const deliverLocally = async ({
    handoffId,
    projectId,
    event,
    eventId,
  }: HandoffNotification): Promise<Told> => {
    const sessionId = OpenHandoffs.sessionOf(handoffId);
    // After a restart the session may not have been loaded yet.
    if (sessionId !== null && open.get(handoffId) === null) {
      const place = await ensureSessionLoaded(sessionId);
      if (place.status === 'elsewhere') return place;
    }
    const handoff = open.get(handoffId);
    if (handoff === null || handoff.projectId !== projectId) return { status: 'unknown' };
    const messageId = await deliverToSession(handoff.session, event, eventId);
    if (messageId === null && open.get(handoffId) !== handoff) {
      // Closed meanwhile: the visitor has left, or another node has taken the session and this one stored nothing.
      return { status: 'elsewhere', owner: null };
    }
    if (isLastEvent(event)) open.remove(handoffId);
    return { status: 'told', messageId };
  };
  peers.answer(ask, (body) => deliverLocally(body as HandoffNotification));

  const tell = async (telling: HandoffNotification): Promise<Told> => {
    const told = await deliverLocally(telling);
    if (told.status !== 'elsewhere' || told.owner === null) return told;
    try {
      return (await peers.call(told.owner, ask, telling, ANSWER_MS)) as Told;
    } catch (error) {
      // Not sent. An event that may have been delivered is not repeated; the caller gets a failure.
      if (isPeerError(error) && error.code === 'unreachable') return told;
      throw error;
    }
  };

  return async (telling) => {
    for (let attempt = 1; ; attempt += 1) {
      const told = await tell(telling);
      if (told.status !== 'elsewhere' || attempt === ATTEMPTS) return told;
      await sleep(clock, RETRY_MS);
    }
  };
}
