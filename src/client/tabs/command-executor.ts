import type { ConversationConnection } from '../connection/conversation-connection.ts';
import { isHandled } from '../conversation/conversation-state.ts';
import type { ConversationStore } from '../conversation/conversation-store.ts';
import type { Sessions } from '../session/sessions.ts';
import type { ConversationStorage } from '../storage/conversation-storage.ts';
import type { TabAction } from './tab-command.ts';

export interface CommandExecutorOptions {
  readonly store: ConversationStore;
  readonly connection: ConversationConnection;
  readonly sessions: Sessions;
  readonly storage: ConversationStorage;
}

/** Executes an action in the leader; drops a command that was executed, by this leader or the one before. */
export type CommandExecutor = (action: TabAction, commandId?: string) => void;

export function createCommandExecutor(options: CommandExecutorOptions): CommandExecutor {
  const { store, connection, sessions, storage } = options;

  /** Connects, unless the conversation is over. */
  function connect(): void {
    if (!store.conversation.outcome) connection.dispatch({ type: 'connect' });
  }

  function leaveSession(isLogout: boolean, commandId?: string): void {
    connection.dispatch({ type: 'disconnect', isImmediate: true });
    sessions.forget();
    storage.clear();
    if (isLogout) storage.forgetPast();
    storage.setRestored(null);
    store.dispatch({ type: 'session_left', isLogout }, commandId);
  }

  /** Nothing of another visitor's conversation is kept. */
  function removeOwner(): void {
    store.dispatch({ type: 'user_ended' });
    // The end itself has revoked the ticket where it came at once.
    if (!store.conversation.outcome) sessions.credentials.revoke();
    leaveSession(true);
    connect();
  }

  return (action, commandId) => {
    const { owner } = store.conversation;
    if (commandId && isHandled(store.conversation, commandId)) return;
    switch (action.type) {
      case 'typing':
        connection.notifyTyping();
        return;
      case 'woke':
        connection.wake();
        return;
      case 'reconnect':
        connect();
        return;
      case 'session_left':
        leaveSession(action.isLogout, commandId);
        if (!action.isLogout) connect();
        return;
      case 'claimed':
        if (owner && owner !== action.owner) removeOwner();
        store.dispatch(action, commandId);
        storage.save();
        return;
      default:
        store.dispatch(action, commandId);
    }
  };
}
