import type { Conversation, ConversationInput } from '../conversation/conversation-state.ts';
import type { StoredConversation } from '../storage/stored-conversation.ts';

/** What a tab needs to mirror a conversation, and to lead it when its turn comes. */
export interface Mirrored {
  readonly conversation: Conversation;
  /** What there is to resume. */
  readonly stored: StoredConversation;
}

/** What happens to a conversation. The reducer is pure, so that the same steps lead to the same in every tab. */
export interface MirroredStep {
  readonly input: ConversationInput;
  readonly nowMs: number;
}

/** What the visitor of a tab without the socket does. */
export type Ask =
  | ConversationInput
  | { readonly type: 'reconnect' | 'new_chat' | 'log_out' | 'typing' | 'woke' };
