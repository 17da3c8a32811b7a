import type { HandoffAction } from '../../agents/index.ts';
import type { SessionPort } from '../../realtime/conversation/index.ts';
import type { HandoffRequest } from './handoff-provider.ts';

/** The request that a provider gets: who asks for the hand-off, why, and the conversation so far. */
export function createHandoffRequest(action: HandoffAction, session: SessionPort): HandoffRequest {
  const { destination, reason, queueName, data } = action;
  const { row, connector } = session;
  return {
    sessionId: row.id,
    conversationId: row.conversationId ?? '',
    connectorId: connector.id,
    projectId: connector.projectId,
    provider: connector.handoff,
    destination,
    reason,
    queueName: queueName ?? null,
    data: data ?? {},
    history: session.historyBefore(Number.POSITIVE_INFINITY),
  };
}
