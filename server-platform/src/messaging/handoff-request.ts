import type { HandoffAction } from '../agents/index.ts';
import type { Session } from '../db/index.ts';
import type { MessagingConnector } from './connector.ts';
import type { ConversationHistory } from './conversation-history.ts';
import type { HandoffRequest } from './handoff-provider.ts';

/** What a provider is told of a hand-off: who asks for it, why, and everything that was said so far. */
export function createHandoffRequest(
  { destination, reason, queueName, data }: HandoffAction,
  { id: sessionId, conversationId }: Session,
  { id: connectorId, projectId, handoff: provider }: MessagingConnector,
  history: ConversationHistory,
): HandoffRequest {
  return {
    sessionId,
    conversationId: conversationId ?? '',
    connectorId,
    projectId,
    provider,
    destination,
    reason,
    queueName: queueName ?? null,
    data: data ?? {},
    history: history.entriesBefore(Number.POSITIVE_INFINITY),
  };
}
