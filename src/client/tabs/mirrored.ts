import type { Conversation, ConversationInput } from '../conversation/conversation-state.ts';
import type { StoredConversation } from '../storage/stored-conversation.ts';
import { createAppendMap } from '../transcript/append-map.ts';

/** What a tab needs to mirror a conversation, and to lead it when its turn comes. */
export interface Mirrored {
  /** Packed: its maps are no plain data. */
  readonly conversation: string;
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

/** A conversation as text; JSON has no word for "never". */
export const pack = (conversation: Conversation): string =>
  JSON.stringify(conversation, (_, value: unknown) => (value === Infinity ? { isNever: true } : value));

/** What `pack` wrote. */
export const unpack = (text: string): Conversation =>
  JSON.parse(text, (_, value) =>
    value?.appended ? createAppendMap(value.appended) : value?.isNever ? Infinity : value,
  );
