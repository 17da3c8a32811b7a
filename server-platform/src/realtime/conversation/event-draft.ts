import type { CustomMap, KnownEventType } from 'natter/protocol';
import type { Agent } from '../../agents/index.ts';

/** An event that is not yet in the log. */
export interface EventDraft {
  readonly type: KnownEventType;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly custom?: CustomMap | null;
}

/** A draft of a client's event, with the field that only such events have. */
export interface ClientEventDraft extends EventDraft {
  readonly clientEventId?: string | null;
}

/** AGENT_JOINED for an agent; null: the agent is no longer known. Source: messaging.md 7.2. */
export function agentJoined(agent: Agent | null): EventDraft {
  return {
    type: 'EVENT_TYPE_AGENT_JOINED',
    payload: {
      ...(agent !== null && { agent_name: agent.name }),
      ...(agent?.avatarUrl && { agent_avatar_url: agent.avatarUrl }),
    },
  };
}

/** A SYSTEM_MESSAGE at ERROR level in the history: agent and handoff notices (5.5, 12.1). */
export function systemError(message: string, missingAgent?: string): EventDraft {
  return {
    type: 'EVENT_TYPE_SYSTEM_MESSAGE',
    payload: {
      level: 'SYSTEM_MESSAGE_LEVEL_ERROR',
      message,
      // Our extension for the widget's diagnostics; other readers ignore it.
      ...(missingAgent !== undefined && { missing_agent: missingAgent }),
    },
  };
}

/** A SYSTEM_MESSAGE at INFO level in the history (5.5). */
export function systemNotice(message: string): EventDraft {
  return {
    type: 'EVENT_TYPE_SYSTEM_MESSAGE',
    payload: { level: 'SYSTEM_MESSAGE_LEVEL_INFO', message },
  };
}
