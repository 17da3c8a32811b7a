import { HANDOFF_SUMMARY, type HandoffAction, withStateVariables } from '../../agents/index.ts';
import type { SessionPort } from '../../realtime/conversation/index.ts';
import { agentJoined, type EventDraft, recordReturn } from '../../realtime/conversation/index.ts';
import type { AppendEffects, SessionPatch } from '../../realtime/event-log/index.ts';
import { AGENT_LEFT, agentTriggeredHandoff, clientHandoffRequired } from './handoff-events.ts';
import type { StoredHandoff } from './stored-handoff.ts';

/** Stores that a person is asked for, with the answer that asked. Source: messaging.md 8.3, 8.4. */
export async function storeRequest(
  port: SessionPort,
  action: HandoffAction,
  isClientManaged: boolean,
  answer: readonly EventDraft[],
  effects: AppendEffects,
): Promise<void> {
  const handoff: StoredHandoff = isClientManaged
    ? { managed: 'client' }
    : { managed: 'server', reference: null };
  const steps = isClientManaged
    ? [agentTriggeredHandoff(action), clientHandoffRequired(action, port.connector.handoffRoute), AGENT_LEFT]
    : [agentTriggeredHandoff(action), AGENT_LEFT];
  const session: SessionPatch = { ...effects.session, state: 'handoff', handoff };
  await port.append([...answer, ...steps], { ...effects, session });
}

/** Stores the end of a hand-off without a human agent, and applies the connector's setting. Source: 8.5. */
export async function endWithoutPerson(
  port: SessionPort,
  drafts: readonly EventDraft[],
  isCancelled: boolean,
  effects: AppendEffects,
): Promise<void> {
  const { connector } = port;
  // The visitor asked for the automated agent, so the connector's setting for failures does not apply. Source: EXT-5.
  const onHandoffFailure = isCancelled ? 'rejoin' : connector.onHandoffFailure;
  if (onHandoffFailure === 'end') {
    await port.endNaturally(drafts, effects);
    return;
  }
  if (onHandoffFailure === 'rejoin') {
    await returnToAgent(port, drafts, effects);
    return;
  }
  const lost: SessionPatch = { state: 'created', conversationStatus: 'lost', handoff: null };
  await port.append(drafts, { ...effects, session: { ...effects.session, ...lost } });
  port.resumeAgent();
}

/**
 * Stores that the automated agent is back, after `drafts`, and lets it answer what waits. The person's `summary` becomes a
 * variable of its state.
 */
export async function returnToAgent(
  port: SessionPort,
  drafts: readonly EventDraft[],
  effects: AppendEffects,
  summary?: string,
): Promise<void> {
  const { connector, context, row } = port;
  const session: SessionPatch = {
    ...effects.session,
    ...{ state: 'active', handoff: null },
    ...(summary !== undefined && { agentState: withSummary(row.agentState, summary) }),
  };
  const record = recordReturn(row, effects.record);
  await port.append([...drafts, agentJoined(context.agentFor(connector, row.variantId))], {
    ...effects,
    session,
    record,
  });
  port.resumeAgent();
}

const withSummary = (state: unknown, summary: string): object =>
  withStateVariables(typeof state === 'object' && state !== null ? { ...state } : {}, {
    [HANDOFF_SUMMARY]: summary,
  });
