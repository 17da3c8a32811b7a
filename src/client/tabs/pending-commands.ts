import type { CustomMap } from '../../protocol/index.ts';
import type { TabCommand } from '../commands.ts';
import { type Conversation, isHandled } from '../conversation/conversation-state.ts';
import { reduceConversation } from '../conversation/transition.ts';

/** Commands of this tab that the leader has not acknowledged: shown at once, and sent again to every new leader. */
export interface PendingCommands {
  add(action: TabCommand['action']): void;
  /** Replaces the page context of all messages. */
  describe(custom: CustomMap | null): void;
  list(): readonly TabCommand[];
  /** Returns the conversation after all pending commands. */
  applyTo(conversation: Conversation, nowMs: number): Conversation;
}

export function createPendingCommands(createId: () => string): PendingCommands {
  let commands: readonly TabCommand[] = [];
  return {
    add(action) {
      commands = [...commands, { id: createId(), action }];
    },
    describe(custom) {
      commands = commands.map(({ id, action }) => ({ id, action: describeMessage(action, custom) }));
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

const describeMessage = (action: TabCommand['action'], custom: CustomMap | null): TabCommand['action'] =>
  action.type === 'written' && action.event.type === 'EVENT_TYPE_USER_MESSAGE'
    ? { ...action, event: { ...action.event, custom } }
    : action;
