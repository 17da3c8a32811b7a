import type { AgentTurn } from '../../agents/index.ts';
import type { ExternalState, OpenWait } from '../../realtime/external-events/index.ts';

/** An ended wait that was not reported to the agent yet: the event, or a timeout. */
export interface PendingEvent {
  readonly wait: OpenWait;
  readonly event: NonNullable<AgentTurn['event']>;
}

/** Events to report to the agent before it answers, in the order of their waits. Source: EE-6. */
export function listPendingEvents(
  { waits, received }: ExternalState,
  nowMs: number,
): readonly PendingEvent[] {
  return waits.flatMap((wait) => {
    const { name, eventId, deliveredUpTo, dueAtMs } = wait;
    const came = received.find(({ id, ordinal }) => id === eventId && ordinal > deliveredUpTo) ?? null;
    return came !== null || dueAtMs <= nowMs ? [{ wait, event: { name, received: came } }] : [];
  });
}
