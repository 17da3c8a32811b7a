import { isPeerError, type Peers } from '../bus/index.ts';
import { type Clock, sleep } from '../clock.ts';
import type { SessionLocation } from '../messaging/index.ts';
import { type DeskEvent, isLastEvent, tellSession } from './desk-event.ts';
import { OpenHandoffs } from './open-handoffs.ts';

/** What telling a hand-off came to. */
export type Told =
  | { readonly status: 'told'; readonly messageId: string | null }
  | { readonly status: 'unknown' }
  /** Nothing was told: another node has the conversation, `owner` if that is known. */
  | { readonly status: 'elsewhere'; readonly owner: string | null };

/** Something to tell a hand-off. */
export interface Telling {
  readonly handoffId: string;
  readonly projectId: string;
  readonly event: DeskEvent;
  /** What is told twice under one id is stored once. */
  readonly eventId?: string;
}

/** Tells hand-offs of any node what happens at the desk. */
export type TellHandoff = (telling: Telling) => Promise<Told>;

/** How hand-offs are found. */
export interface TellHandoffOptions {
  /** Those of this node. */
  readonly open: OpenHandoffs;
  /** Name of the question between nodes. */
  readonly ask: string;
  readonly peers: Peers;
  readonly clock: Clock;
  readonly wakeSession: (sessionId: string) => Promise<SessionLocation>;
}

// A conversation that changes its node is somewhere again in a moment.
const ATTEMPTS = 3;
const RETRY_MS = 200;
const ANSWER_MS = 5_000;

/** Makes the way to the hand-offs, whichever node has them. */
export function createTellHandoff(options: TellHandoffOptions): TellHandoff {
  const { open, ask, peers, clock, wakeSession } = options;
  const tellHere = async ({ handoffId, projectId, event, eventId }: Telling): Promise<Told> => {
    const sessionId = OpenHandoffs.sessionOf(handoffId);
    // After a restart nobody may have needed the session yet.
    if (sessionId !== null && open.get(handoffId) === null) {
      const place = await wakeSession(sessionId);
      if (place.status === 'elsewhere') return place;
    }
    const handoff = open.get(handoffId);
    if (handoff === null || handoff.projectId !== projectId) return { status: 'unknown' };
    const messageId = await tellSession(handoff.session, event, eventId);
    if (messageId === null && open.get(handoffId) !== handoff) {
      // Closed meanwhile: the visitor has left, or another node has taken the session and this one stored nothing.
      return { status: 'elsewhere', owner: null };
    }
    if (isLastEvent(event)) open.remove(handoffId);
    return { status: 'told', messageId };
  };
  peers.answer(ask, (body) => tellHere(body as Telling));

  const tell = async (telling: Telling): Promise<Told> => {
    const told = await tellHere(telling);
    if (told.status !== 'elsewhere' || told.owner === null) return told;
    try {
      return (await peers.call(told.owner, ask, telling, ANSWER_MS)) as Told;
    } catch (error) {
      // It was not sent. What may have been told is not told again, and the caller hears of a failure.
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
