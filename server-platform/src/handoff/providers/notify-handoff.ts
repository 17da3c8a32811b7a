import { type Clock, sleep } from '../../kit/clock.ts';
import { isPeerError, type Peers } from '../../realtime/bus/index.ts';
import type { SessionLocation } from '../../realtime/index.ts';
import { type DeskEvent, deliverToSession, isLastEvent } from './desk-event.ts';
import { OpenHandoffs } from './open-handoffs.ts';

/** Result of delivering an event to a hand-off. */
export type NotifyResult =
  | { readonly status: 'told'; readonly messageId: string | null }
  | { readonly status: 'unknown' }
  /** Not delivered: another node owns the conversation; `owner` is null if unknown. */
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
export type NotifyHandoff = (notification: HandoffNotification) => Promise<NotifyResult>;

/** Dependencies of {@link createNotifyHandoff}. */
export interface NotifyHandoffOptions {
  /** Hand-offs of this node. */
  readonly open: OpenHandoffs;
  /** Name of the call between nodes. */
  readonly ask: string;
  readonly peers: Peers;
  readonly clock: Clock;
  readonly ensureSessionLoaded: (sessionId: string) => Promise<SessionLocation>;
}

// A conversation that moves to another node has an owner again in a moment.
const ATTEMPTS = 3;
const RETRY_MS = 200;
const ANSWER_MS = 5_000;

/** Creates the function that delivers desk events to hand-offs on any node. */
export function createNotifyHandoff(options: NotifyHandoffOptions): NotifyHandoff {
  const { open, ask, peers, clock, ensureSessionLoaded } = options;
  const deliverLocally = async ({
    handoffId,
    projectId,
    event,
    eventId,
  }: HandoffNotification): Promise<NotifyResult> => {
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
      // Closed meanwhile: the visitor left, or another node acquired the session and this one stored nothing.
      return { status: 'elsewhere', owner: null };
    }
    if (isLastEvent(event)) open.remove(handoffId);
    return { status: 'told', messageId };
  };
  peers.answer(ask, (body) => deliverLocally(body as HandoffNotification));

  const deliver = async (notification: HandoffNotification): Promise<NotifyResult> => {
    const result = await deliverLocally(notification);
    if (result.status !== 'elsewhere' || result.owner === null) return result;
    try {
      return (await peers.call(result.owner, ask, notification, ANSWER_MS)) as NotifyResult;
    } catch (error) {
      // Not sent. An event that may have been delivered is not repeated; the caller gets a failure.
      if (isPeerError(error) && error.code === 'unreachable') return result;
      throw error;
    }
  };

  return async (notification) => {
    for (let attempt = 1; ; attempt += 1) {
      const result = await deliver(notification);
      if (result.status !== 'elsewhere' || attempt === ATTEMPTS) return result;
      await sleep(clock, RETRY_MS);
    }
  };
}
