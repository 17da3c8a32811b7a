import type { Conversation, ConversationAction } from '../conversation/conversation-state.ts';
import type { StoredConversation } from '../storage/stored-conversation.ts';

/** What a tab needs to show a conversation, and to lead it later. */
export interface Mirrored {
  readonly conversation: Conversation;
  /** What there is to resume. */
  readonly stored: StoredConversation;
}

/** The reducer is pure, so that the same actions lead to the same conversation in every tab. */
export interface MirroredStep {
  readonly action: ConversationAction;
  readonly nowMs: number;
}

/** What a visitor does in any tab; the leader executes it. */
export type TabCommand =
  | ConversationAction
  | { readonly type: 'reconnect' | 'new_chat' | 'log_out' | 'typing' | 'woke' };
