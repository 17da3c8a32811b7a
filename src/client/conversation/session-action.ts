import type { Vocabulary } from '../../protocol/index.ts';
import { type Conversation, NEW_SESSION } from './conversation-state.ts';
import type { Outbox } from './outbox/outbox-state.ts';
import { isUnconfirmedMessage, moveToSession } from './outbox/transition.ts';
import { EMPTY_TRANSCRIPT } from './transcript/transcript-state.ts';

/** Changes of the session, or of the whole conversation. */
export type SessionAction =
  /** The storage was read. */
  | {
      readonly type: 'restored';
      /** A conversation in turns, which the platform's log does not contain. */
      readonly past: Conversation | null;
      readonly drafts: Outbox;
      readonly owner: string;
      readonly lastActivityMs: number;
      /** Whether there is a session to resume. */
      readonly isResumed: boolean;
    }
  /** Credentials are available. The platform replays a resumed transcript; the drafts are here already. */
  | {
      readonly type: 'session_started';
      readonly sessionId: string;
      readonly vocabulary: Vocabulary;
      /** Further features of the token proxy, by name. */
      readonly offers: readonly string[];
      readonly isResumed: boolean;
      /** Unread messages of an earlier page in a resumed session. */
      readonly unread: number;
      /** Drafts of an earlier page that a new session shows but does not send without the visitor. */
      readonly unaskedIds: readonly string[];
    }
  /** The session is over for this client; after a logout all of the visitor's data is removed too. */
  | { readonly type: 'session_left'; readonly isLogout: boolean }
  /** The leader's conversation. */
  | { readonly type: 'replicated'; readonly conversation: Conversation };

export function applySessionAction(
  conversation: Conversation,
  action: SessionAction,
  nowMs: number,
): Conversation {
  const { outbox } = conversation;
  switch (action.type) {
    case 'restored': {
      const { past, drafts, owner, lastActivityMs, isResumed } = action;
      const start = past ?? conversation;
      return {
        ...start,
        // An owner set after a logout and before this start is not stored yet.
        owner: start.owner || owner,
        outbox: [...drafts, ...outbox],
        lastActivityMs,
        isResumed,
      };
    }
    case 'session_started': {
      const { sessionId, vocabulary, offers, isResumed, unread, unaskedIds } = action;
      const session = {
        ...conversation,
        ...NEW_SESSION,
        sessionId,
        vocabulary,
        offers,
        isResumed,
        lastActivityMs: nowMs,
      };
      if (isResumed) return { ...session, transcript: { ...EMPTY_TRANSCRIPT, unread } };
      // The visitor decides about messages that were not sent before the end of an earlier chat.
      return {
        ...session,
        outbox: moveToSession(outbox, ({ localId, delivery }) =>
          delivery.status === 'failed' ? delivery.reason === 'chat_ended' : unaskedIds.includes(localId),
        ),
      };
    }
    case 'session_left': {
      const session = {
        ...conversation,
        ...NEW_SESSION,
        sessionId: '',
        isResumed: false,
        connectionCount: 0,
        lastActivityMs: nowMs,
      };
      return action.isLogout
        ? { ...session, outbox: [], owner: '', visitors: conversation.visitors + 1 }
        : { ...session, outbox: outbox.filter(isUnconfirmedMessage) };
    }
    case 'replicated':
      return action.conversation;
  }
}
