import type { Link } from '../connection/create-link.ts';
import type { Conversation, ConversationAction } from '../conversation/conversation-state.ts';
import type { ConversationStore } from '../conversation/conversation-store.ts';
import { isUnconfirmed } from '../outbox/outbox-state.ts';
import type { ClientPorts } from '../ports.ts';
import type { Sessions } from '../session/create-sessions.ts';
import type { ConversationStorage } from '../storage/conversation-storage.ts';
import type { StoredConversation } from '../storage/stored-conversation.ts';
import type { ChatStore } from '../store/create-chat-store.ts';
import { createCommandExecutor } from './command-executor.ts';
import { createTabs, type Tabs } from './create-tabs.ts';
import { createPendingCommands } from './pending-commands.ts';

/** A tab that was frozen learns within this time after its resumption that another tab leads. */
const LEADER_CHANGE_GRACE_MS = 2_000;

export interface TabCoordinatorOptions {
  readonly ports: ClientPorts;
  /** The same in all tabs that share the conversation. */
  readonly name: string;
  readonly store: ConversationStore;
  readonly link: Link;
  readonly sessions: Sessions;
  readonly storage: ConversationStorage;
  readonly chatStore: ChatStore;
}

/** One conversation in all tabs: the leader executes commands, the followers show its conversation. */
export interface TabCoordinator
  extends Pick<Tabs, 'isLeading' | 'join' | 'replicate' | 'notify' | 'destroy'> {
  /** Shows an action at once. The leader executes it, once; without a leader it waits for the next one. */
  dispatch(action: ConversationAction): void;
  /** Shows the conversation, with the actions that the leader has not acknowledged. */
  show(): void;
  /** Sends the followers what there is to resume. */
  replicateSession(): void;
}

/** What a tab needs to show a conversation, and to lead it later. */
interface SharedState {
  readonly conversation: Conversation;
  /** What there is to resume. */
  readonly stored: StoredConversation;
}

export function createTabCoordinator(options: TabCoordinatorOptions): TabCoordinator {
  const { ports, store, link, sessions, storage, chatStore } = options;
  const { clock } = ports;
  const pending = createPendingCommands(ports.createId);
  const execute = createCommandExecutor(options);
  let stored = toStored();

  const withPending = (): Conversation => pending.applyTo(store.conversation, clock.now());
  const show = (): void => chatStore.showConversation(withPending());

  /** For other tabs, with the ticket that a cookie has for this one. */
  function toStored(): StoredConversation {
    return { ...storage.toStored(), resumeTicket: sessions.ticket() };
  }

  function applyState({ conversation, stored: given }: SharedState): void {
    stored = given;
    storage.setRestored(given);
    store.dispatch({ type: 'replicated', conversation });
  }

  /** The replicated state is here, and the cursor brings the rest. */
  function becomeLeader(): void {
    const { conversation } = store;
    // The previous leader may have sent these messages. The REST fallback has no deduplication, so that they are restored
    // as unconfirmed drafts.
    if (conversation.sessionId) storage.setRestored(storage.toStored(withPending()));
    const { status } = conversation.connection;
    store.dispatch({ type: 'connection', connection: { status: status === 'closed' ? status : 'idle' } });
    for (const { id, action } of pending.list()) execute(action, id);
    if (status !== 'closed') execute({ type: 'reconnect' });
  }

  function loseLeadership(): void {
    const { outbox, vocabulary } = store.conversation;
    storage.setRestored(toStored());
    // The new leader may have taken over before these drafts were stored, so they are sent to it.
    const unconfirmedDrafts = outbox.filter(
      (draft) => isUnconfirmed(draft) && clock.now() - draft.createdAtMs < LEADER_CHANGE_GRACE_MS,
    );
    if (vocabulary === 'neutral' && !sessions.isTurnBased()) {
      for (const draft of unconfirmedDrafts) pending.add({ ...draft, type: 'written' });
    } else if (unconfirmedDrafts.length > 0) {
      // Without deduplication they could be delivered twice, so they return to the composer.
      const texts = [...unconfirmedDrafts.map(({ text }) => text), chatStore.state.unsent.peek()];
      chatStore.setUnsent(texts.filter(Boolean).join('\n'));
    }
    link.dispatch({ type: 'disconnect', isImmediate: true });
    sessions.forget();
  }

  const tabs = createTabs<SharedState>({
    ports,
    name: options.name,
    state: () => ({ conversation: store.conversation, stored }),
    onState: applyState,
    onLead: becomeLeader,
    onLeadershipLost: loseLeadership,
    pending: pending.list,
    execute,
  });

  return {
    get isLeading() {
      return tabs.isLeading;
    },
    join: tabs.join,
    notify: tabs.notify,
    replicate: tabs.replicate,
    destroy: tabs.destroy,
    show,
    dispatch(action) {
      if (store.isClosed) return;
      if (tabs.isLeading) {
        execute(action);
        return;
      }
      pending.add(action);
      tabs.ask();
      show();
    },
    replicateSession() {
      stored = toStored();
      tabs.replicate();
    },
  };
}
