import { isRecoverableText, type ServerEvent, SYSTEM_TEXTS } from '../../protocol/index.ts';
import type { SystemNotice } from '../chat-state.ts';

const LEVELS = {
  SYSTEM_MESSAGE_LEVEL_INFO: 'info',
  SYSTEM_MESSAGE_LEVEL_WARNING: 'warning',
  SYSTEM_MESSAGE_LEVEL_ERROR: 'error',
} as const;

/** Faults between the two programs: they mark a message, or are mended, and are not the visitor's business. */
const SILENT_TEXTS: ReadonlySet<string> = new Set([
  SYSTEM_TEXTS.invalidFrame,
  SYSTEM_TEXTS.tooLarge,
  SYSTEM_TEXTS.sessionNotFound,
  SYSTEM_TEXTS.sessionUnavailable,
]);
const NOT_ALLOWED_START = SYSTEM_TEXTS.notAllowed('');

function isShown(level: (typeof LEVELS)[keyof typeof LEVELS], text: string): boolean {
  if (text === '') return false;
  if (level !== 'error') return true;
  if (SILENT_TEXTS.has(text) || text.startsWith(NOT_ALLOWED_START)) return false;
  // A lost conversation is asked for again; a join that failed is worth a word.
  return !isRecoverableText(text) || text === SYSTEM_TEXTS.joinFailed;
}

/** The line an event puts into the transcript; null for none. Source: IND-4, messaging.md 12.1. */
export function toSystemNotice(event: ServerEvent): SystemNotice | null {
  switch (event.type) {
    case 'EVENT_TYPE_AGENT_JOINED':
      return { code: 'agent_joined', name: event.payload.agent_name };
    case 'EVENT_TYPE_AGENT_LEFT':
      return { code: 'agent_left' };
    case 'EVENT_TYPE_AGENT_TRIGGERED_HANDOFF':
      return { code: 'handoff_started' };
    case 'EVENT_TYPE_HANDOFF_ACCEPTED':
      return { code: 'handoff_accepted', queueName: event.payload.queue_name };
    case 'EVENT_TYPE_CLIENT_HANDOFF_REQUIRED':
      return { code: 'handoff_required', route: event.payload.route ?? event.payload.reason };
    case 'EVENT_TYPE_HANDOFF_FAILED':
      return { code: 'handoff_failed' };
    case 'EVENT_TYPE_HANDOFF_TIMEOUT':
      return { code: 'handoff_timed_out' };
    case 'EVENT_TYPE_LIVE_AGENT_JOINED':
      return { code: 'live_agent_joined', name: event.payload.agent_name };
    case 'EVENT_TYPE_LIVE_AGENT_LEFT':
      return { code: 'live_agent_left', name: event.payload.agent_name };
    case 'EVENT_TYPE_SESSION_IDLE_WARNING':
      return { code: 'idle_warning', secondsRemaining: event.payload.seconds_remaining };
    case 'EVENT_TYPE_SYSTEM_MESSAGE': {
      const level = LEVELS[event.payload.level];
      const text = event.payload.message.trim();
      return isShown(level, text) ? { code: 'platform_message', level, text } : null;
    }
    default:
      return null;
  }
}
