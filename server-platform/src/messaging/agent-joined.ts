import type { Agent } from '../agents/index.ts';
import type { EventDraft } from './answer-writer.ts';

/** AGENT_JOINED for an agent, or for one that is not known any more. Source: messaging.md 7.2. */
export function agentJoined(agent: Agent | null): EventDraft {
  return {
    type: 'EVENT_TYPE_AGENT_JOINED',
    payload: {
      ...(agent !== null && { agent_name: agent.name }),
      ...(agent?.avatarUrl && { agent_avatar_url: agent.avatarUrl }),
    },
  };
}
