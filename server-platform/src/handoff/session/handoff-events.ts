import type { HandoffAction } from '../../agents/index.ts';
import type { EventDraft } from '../../realtime/conversation/index.ts';
import type { Departure, LiveAgent, LiveAgentMessage, QueueStatus } from './handoff-provider.ts';

export const AGENT_LEFT: EventDraft = { type: 'EVENT_TYPE_AGENT_LEFT', payload: {} };

/** Source: messaging.md 7.2. */
export function agentTriggeredHandoff({ deskHours }: HandoffAction): EventDraft {
  return {
    type: 'EVENT_TYPE_AGENT_TRIGGERED_HANDOFF',
    payload: { ...(deskHours !== undefined && { desk_hours: deskHours }) },
  };
}

/** Source: messaging.md 7.4, 8.4. */
export function clientHandoffRequired(action: HandoffAction, route: string | null): EventDraft {
  return {
    type: 'EVENT_TYPE_CLIENT_HANDOFF_REQUIRED',
    payload: {
      reason: action.reason,
      queue_name: action.queueName ?? action.destination,
      ...(route !== null && { route }),
    },
  };
}

/** Source: messaging.md 7.3; our writer sends the nested form. */
export function liveAgentJoined(agent: LiveAgent): EventDraft {
  return { type: 'EVENT_TYPE_LIVE_AGENT_JOINED', payload: { agent: toWireAgent(agent) } };
}

function toWireAgent({ id, name, avatarUrl }: LiveAgent): Readonly<Record<string, string>> {
  return { id, name, ...(avatarUrl !== null && { avatar_url: avatarUrl }) };
}

/** Source: messaging.md 7.4. */
export function toWireQueueStatus(status: QueueStatus): Readonly<Record<string, unknown>> {
  const { queueName, positionInQueue, estimatedWaitSeconds, displayMessage } = status;
  return {
    ...(queueName !== undefined && { queue_name: queueName }),
    ...(positionInQueue !== undefined && { position_in_queue: positionInQueue }),
    ...(estimatedWaitSeconds !== undefined && { estimated_wait_seconds: estimatedWaitSeconds }),
    ...(displayMessage !== undefined && { display_message: displayMessage }),
  };
}

/** Source: messaging.md 7.3; never chunked (STR-4). */
export function liveAgentMessage(messageId: string, message: LiveAgentMessage): EventDraft {
  const { agent, text, attachments = [], suggestions = [] } = message;
  return {
    type: 'EVENT_TYPE_LIVE_AGENT_MESSAGE',
    payload: {
      message_id: messageId,
      text,
      attachments,
      response_suggestions: suggestions,
      agent_id: agent.id,
      agent_name: agent.name,
      ...(agent.avatarUrl !== null && { avatar_url: agent.avatarUrl }),
    },
  };
}

/** Source: messaging.md 7.3. */
export function liveAgentLeft(agent: LiveAgent, { reason, nextName }: Departure): EventDraft {
  return {
    type: 'EVENT_TYPE_LIVE_AGENT_LEFT',
    payload: {
      agent_id: agent.id,
      agent_name: agent.name,
      ...(reason !== undefined && { reason }),
      ...(nextName !== undefined && { next_name: nextName }),
    },
  };
}

/** Source: messaging.md 7.4. */
export function handoffAccepted(queueName: string | null): EventDraft {
  return {
    type: 'EVENT_TYPE_HANDOFF_ACCEPTED',
    payload: queueName === null ? {} : { queue_name: queueName },
  };
}
