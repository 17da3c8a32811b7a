import { STATE_VERSION } from '../conversation/conversation-state.ts';
import { isMessage } from '../conversation/outbox/outbox-state.ts';
import type { SessionAction } from '../conversation/session-action.ts';
import {
  fromStoredDraft,
  isFresh,
  type StoredConversation,
  unpackConversation,
} from './stored-conversation.ts';

/** The action that shows a stored conversation, or for null an empty one. */
export function toRestoredAction(
  stored: StoredConversation | null,
  nowMs: number,
): Extract<SessionAction, { type: 'restored' }> {
  const isCurrent = isFresh(stored, nowMs);
  const turns = isCurrent && stored.turns?.version === STATE_VERSION ? stored.turns : null;
  return {
    type: 'restored',
    past: turns && unpackConversation(turns.past),
    // Undelivered drafts of an earlier page are shown at once, because connecting may take long. Feedback needs a
    // message of the resumed session.
    drafts:
      stored?.drafts
        .filter((draft) => isCurrent || isMessage(draft))
        .map((draft) => fromStoredDraft(draft, isCurrent)) ?? [],
    owner: stored?.owner ?? '',
    lastActivityMs: stored?.lastActivityMs ?? nowMs,
    isResumed: isCurrent && stored.resumeTicket !== '',
  };
}
