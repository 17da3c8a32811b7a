import type { AgentTurn } from '../agents/index.ts';
import type { ExternalState, OpenWait } from '../external-events/index.ts';

/** The end of a wait that the agent has not been told: what came, or that the time is up. */
export interface PendingEvent {
  readonly wait: OpenWait;
  readonly event: NonNullable<AgentTurn['event']>;
}

/** What the agent has to be told before it answers, in the order in which it began to wait. Source: EE-6. */
export function listPendingEvents(
  { waits, received }: ExternalState,
  nowMs: number,
): readonly PendingEvent[] {
  return waits.flatMap((wait) => {
    const { name, eventId, toldUntil, dueAtMs } = wait;
    const came = received.find(({ id, ordinal }) => id === eventId && ordinal > toldUntil) ?? null;
    return came !== null || dueAtMs <= nowMs ? [{ wait, event: { name, received: came } }] : [];
  });
}
