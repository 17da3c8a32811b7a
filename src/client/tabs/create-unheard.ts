import {
  type Conversation,
  type ConversationAction,
  hasMessage,
  isOver,
} from '../conversation/conversation-state.ts';
import { reduceConversation } from '../conversation/transition.ts';

/** What the visitor did in a tab and the leader has not confirmed: shown at once, and asked for until it is. */
export interface Unheard {
  add(action: ConversationAction): void;
  list(): readonly ConversationAction[];
  /** The conversation as it will be when the leader has heard all. */
  applyTo(conversation: Conversation, nowMs: number): Conversation;
}

/** True once the conversation shows what was asked for, or can show it no more. */
function isHeard(conversation: Conversation, asked: ConversationAction): boolean {
  if (asked.type === 'claimed') return conversation.owner === asked.owner;
  if (isOver(conversation)) return true;
  if (!('localId' in asked)) return asked.type !== 'user_ended';
  return hasMessage(conversation, asked.localId) === (asked.type === 'written');
}

export function createUnheard(): Unheard {
  let waiting: readonly ConversationAction[] = [];
  return {
    add(action) {
      waiting = [...waiting, action];
    },
    list: () => waiting,
    applyTo(conversation, nowMs) {
      waiting = waiting.filter((action) => !isHeard(conversation, action));
      return waiting.reduce(
        (shown, action) => reduceConversation(shown, action, nowMs).conversation,
        conversation,
      );
    },
  };
}
