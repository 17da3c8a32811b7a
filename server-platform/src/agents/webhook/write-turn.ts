import type { AgentTurn } from '../agent.ts';
import { contextVariablesOf } from '../conversation-variables.ts';

/** Writes the body of a turn. `eventId` is the same in all attempts. */
export function writeTurn(turn: AgentTurn, eventId: string): string {
  const { attributes, page } = contextVariablesOf(turn);
  return JSON.stringify({
    type: 'agent.turn',
    event_id: eventId,
    conversation_id: turn.conversationId,
    project_id: turn.projectId ?? null,
    kind: turn.kind,
    text: turn.text,
    language: turn.language,
    history: turn.history,
    state: turn.state,
    page_context: page,
    integration_attributes: attributes,
    context_vault: turn.contextVault,
    metadata: turn.metadata ?? {},
    variant_id: turn.variantId ?? null,
    event:
      turn.event === undefined
        ? null
        : {
            name: turn.event.name,
            received: turn.event.received === null ? null : writeEvent(turn.event.received),
          },
    external_events: (turn.externalEvents ?? []).map(writeEvent),
  });
}

type ExternalEvent = NonNullable<AgentTurn['externalEvents']>[number];

function writeEvent({ name, id, createdAt, contentType, data }: ExternalEvent): object {
  return { name, id, created_at: createdAt, content_type: contentType, data };
}
