import {
  CLOSE_CODES,
  clientEventIdOf,
  isRecoverableText,
  type ServerEventOf,
  SYSTEM_TEXTS,
} from '../../protocol/index.ts';
import { type Conversation, isOver, type Turn } from './conversation-state.ts';
import {
  isHeld,
  isNamed,
  MALFORMED,
  pauseDraft,
  REFUSED,
  settleDrafts,
  TOO_LONG,
} from './outbox/transition.ts';

/** Pauses before the agent is requested again; recovery is given up after the last one. Source: REC-2. */
const RECOVERY_DELAYS_MS = [2_000, 4_000, 8_000] as const;

/** The connection continues as if the platform had closed it with this code. */
const SESSION_REJECTED = { type: 'socket_closed', code: CLOSE_CODES.sessionRejected } as const;
const SOCKET_BROKEN = { type: 'socket_closed', code: CLOSE_CODES.applicationError } as const;

/**
 * Applies a live error of the platform to the session, the agent and the message that it names. Source: 12.1, 12.2,
 * SYS-4.
 */
export function applyRefusal(
  conversation: Conversation,
  { payload, custom }: ServerEventOf<'EVENT_TYPE_SYSTEM_MESSAGE'>,
  { nowMs, commands }: Turn,
): Conversation {
  if (payload.level !== 'SYSTEM_MESSAGE_LEVEL_ERROR') return conversation;
  const { joinAtMs, recoveries, outbox } = conversation;
  const text = payload.message;
  const localId = clientEventIdOf(custom) ?? '';

  if (text === SYSTEM_TEXTS.sessionNotFound) {
    commands.push(SESSION_REJECTED);
    return conversation;
  }
  if (text === SYSTEM_TEXTS.sessionUnavailable) {
    // A failed lookup may be temporary, so reconnect once before accepting it.
    const lookupFailures = conversation.lookupFailures + 1;
    commands.push(lookupFailures > 1 ? SESSION_REJECTED : SOCKET_BROKEN);
    return { ...conversation, lookupFailures };
  }
  if (!isRecoverableText(text)) {
    const isMalformed = text === SYSTEM_TEXTS.invalidFrame;
    const refusal = text === SYSTEM_TEXTS.tooLarge ? TOO_LONG : isMalformed ? MALFORMED : REFUSED;
    return { ...conversation, outbox: settleDrafts(outbox, isNamed(localId), refusal) };
  }
  const held = { ...conversation, isRecovering: true, outbox: pauseDraft(outbox, localId, nowMs) };
  // The agent will be requested anyway.
  if (joinAtMs < Infinity) return held;
  const delayMs = RECOVERY_DELAYS_MS[recoveries];
  if (delayMs) return { ...held, joinAtMs: nowMs + delayMs, recoveries: recoveries + 1 };
  // No conversation was ever started and none can be, so only another session helps (12.1).
  if (text === SYSTEM_TEXTS.conversationNotStarted) commands.push(SESSION_REJECTED);
  return { ...held, isRecovering: false, outbox: settleDrafts(held.outbox, isHeld, REFUSED) };
}

/** Whether the conversation has no agent. */
export const needsAgent = ({ transcript, isRecovering }: Conversation): boolean =>
  !transcript.hasAgentJoined || isRecovering;

/** Requests the agent: after the replay if none is known, and again during recovery. Source: JOIN-1, REC-1. */
export function requestJoinWhenDue(conversation: Conversation, { nowMs, commands }: Turn): Conversation {
  const { isLive, joinAtMs } = conversation;
  if (!isLive || joinAtMs > nowMs || isOver(conversation)) return conversation;
  if (needsAgent(conversation)) {
    commands.push({ type: 'EVENT_TYPE_REQUEST_AGENT_JOIN', payload: {}, custom: null });
  }
  return { ...conversation, joinAtMs: Infinity };
}
