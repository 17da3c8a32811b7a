import type { ConversationAction } from '../conversation/conversation-state.ts';

/** What a visitor does in any tab; the leader executes it. */
export type TabAction = ConversationAction | { readonly type: 'reconnect' | 'typing' | 'woke' };

/** An action that the leader acknowledges: the state it is part of names the id. */
export interface TabCommand {
  readonly id: string;
  readonly action: ConversationAction;
}
