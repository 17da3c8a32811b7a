import { type Conversation, type ConversationAction, isHandled } from '../conversation/conversation-state.ts';
import { reduceConversation } from '../conversation/transition.ts';
import type { TabCommand } from './tab-command.ts';

/** Commands of this tab that the leader has not acknowledged: shown at once, and sent again to every new leader. */
export interface PendingCommands {
  add(action: ConversationAction): void;
  list(): readonly TabCommand[];
  /** The conversation as it will be after all of them. */
  applyTo(conversation: Conversation, nowMs: number): Conversation;
}

export function createPendingCommands(createId: () => string): PendingCommands {
  let commands: readonly TabCommand[] = [];
  return {
    add(action) {
      commands = [...commands, { id: createId(), action }];
    },
    list: () => commands,
    applyTo(conversation, nowMs) {
      commands = commands.filter(({ id }) => !isHandled(conversation, id));
      return commands.reduce(
        (shown, { action }) => reduceConversation(shown, action, nowMs).conversation,
        conversation,
      );
    },
  };
}
