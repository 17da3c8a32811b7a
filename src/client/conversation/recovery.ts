import {
  clientEventIdOf,
  isRecoverableText,
  type ServerEventOf,
  SYSTEM_TEXTS,
} from '../../protocol/index.ts';
import {
  failDraft,
  holdDraft,
  MALFORMED,
  REFUSED,
  refuseHeldDrafts,
  TOO_LONG,
} from '../outbox/transition.ts';
import type { Command, Conversation, ConversationStep } from './conversation-state.ts';

/** Pauses before the agent is asked in again; after the last one it is given up. Source: REC-2. */
const RECOVERY_DELAYS_MS = [2_000, 4_000, 8_000] as const;

const only = (conversation: Conversation, ...commands: readonly Command[]): ConversationStep => ({
  conversation,
  commands,
  ignored: [],
});

const refusalOf = (text: string): typeof REFUSED => {
  if (text === SYSTEM_TEXTS.tooLarge) return TOO_LONG;
  return text === SYSTEM_TEXTS.invalidFrame ? MALFORMED : REFUSED;
};

/** A live error of the platform: what it means for the session, the agent and the message it names. Source: 12.1, 12.2, SYS-4. */
export function applyRefusal(
  conversation: Conversation,
  event: ServerEventOf<'EVENT_TYPE_SYSTEM_MESSAGE'>,
  nowMs: number,
): ConversationStep {
  if (event.payload.level !== 'SYSTEM_MESSAGE_LEVEL_ERROR') return only(conversation);
  const text = event.payload.message;
  const localId = clientEventIdOf(event.custom);
  const { recovery, outbox } = conversation;

  if (text === SYSTEM_TEXTS.sessionNotFound) return only(conversation, { type: 'reject_session' });
  if (text === SYSTEM_TEXTS.sessionUnavailable) {
    // A failed look-up may be a hiccup: come back once, and only then believe it.
    const lookupFailures = conversation.lookupFailures + 1;
    return only(
      { ...conversation, lookupFailures },
      { type: lookupFailures > 1 ? 'reject_session' : 'recycle' },
    );
  }
  if (!isRecoverableText(text)) {
    return only(
      localId ? { ...conversation, outbox: failDraft(outbox, localId, refusalOf(text)) } : conversation,
    );
  }
  const delayMs = RECOVERY_DELAYS_MS[recovery.attempts];
  if (recovery.dueAtMs !== null || delayMs !== undefined) {
    const dueAtMs = recovery.dueAtMs ?? nowMs + (delayMs ?? 0);
    return only({
      ...conversation,
      isJoining: false,
      recovery: { ...recovery, dueAtMs, isUnderWay: true },
      outbox: localId ? holdDraft(outbox, localId, nowMs) : outbox,
    });
  }
  const refused = refuseHeldDrafts(localId ? failDraft(outbox, localId, REFUSED) : outbox);
  const givenUp: Conversation = {
    ...conversation,
    // Still "asked": this socket does not ask once more, the next one may.
    isJoining: true,
    recovery: { ...recovery, isUnderWay: false },
    outbox: refused,
  };
  // No conversation was ever started and none can be: only another session helps (12.1).
  return text === SYSTEM_TEXTS.conversationNotStarted
    ? only(givenUp, { type: 'reject_session' })
    : only(givenUp);
}

/** Asks the agent in: after the replay when none is known, and again when recovery says so. Source: JOIN-1, REC-1. */
export function requestJoinWhenDue(conversation: Conversation, nowMs: number): ConversationStep {
  const { link, transcript, recovery, isJoining, outcome, hasUserEnded } = conversation;
  if (link.status !== 'live' || outcome !== null || hasUserEnded) return only(conversation);
  const isRecoveryDue = recovery.dueAtMs !== null && recovery.dueAtMs <= nowMs;
  // A join that was under way when the socket went may have been lost with it.
  const isAsked = isJoining || recovery.dueAtMs !== null;
  const isMissing = (!transcript.hasAgentJoined || recovery.isUnderWay) && !isAsked;
  if (!isRecoveryDue && !isMissing) return only(conversation);
  return only(
    {
      ...conversation,
      isJoining: true,
      recovery: isRecoveryDue
        ? { attempts: recovery.attempts + 1, dueAtMs: null, isUnderWay: true }
        : recovery,
    },
    { type: 'send', event: { type: 'EVENT_TYPE_REQUEST_AGENT_JOIN', payload: {}, custom: null } },
  );
}
