import type { Link } from '../connection/create-link.ts';
import type { Conversation, ConversationAction } from '../conversation/conversation-state.ts';
import type { ConversationStore } from '../conversation/conversation-store.ts';
import { isUnconfirmed } from '../outbox/outbox-state.ts';
import type { ClientPorts } from '../ports.ts';
import type { Sessions } from '../session/create-sessions.ts';
import type { ConversationStorage } from '../storage/conversation-storage.ts';
import type { ChatStore } from '../store/create-chat-store.ts';
import { createTabs } from './create-tabs.ts';
import { createUnheard } from './create-unheard.ts';
import type { Mirrored, MirroredStep, TabCommand } from './mirrored.ts';

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
export interface TabCoordinator {
  readonly isLeading: boolean;
  /** False when this tab had joined already. */
  join(): boolean;
  /** Shows an action at once; the leader executes it. */
  dispatch(action: ConversationAction): void;
  /** Sends a command to the leader; lost while there is none. */
  sendToLeader(command: TabCommand): void;
  /** Shows the conversation, with the actions that the leader has not confirmed. */
  show(): void;
  postStep(step: MirroredStep): void;
  postState(): void;
  destroy(): void;
}

export function createTabCoordinator(options: TabCoordinatorOptions): TabCoordinator {
  const { ports, store, link, sessions, storage, chatStore } = options;
  const { clock } = ports;
  const pending = createUnheard();

  const withPending = (): Conversation => pending.applyTo(store.conversation, clock.now());
  const show = (): void => chatStore.showConversation(withPending());

  function snapshot(): Mirrored {
    return {
      conversation: store.conversation,
      stored: { ...storage.toStored(), resumeTicket: sessions.ticket() },
    };
  }

  function applySnapshot({ conversation, stored }: Mirrored): void {
    storage.setRestored(stored);
    store.dispatch({ type: 'replicated', conversation });
    sendPending();
  }

  /** All of them in order, because an earlier one may have been lost. */
  function sendPending(): void {
    for (const action of pending.list()) tabs.ask(action);
  }

  /** The replicated state is here, and the cursor brings the rest. */
  function becomeLeader(): void {
    const { conversation } = store;
    // The previous leader may have sent these messages. The REST fallback has no deduplication, so that they are restored
    // as unconfirmed drafts.
    if (conversation.sessionId) storage.setRestored(storage.toStored(withPending()));
    const { status } = conversation.connection;
    store.dispatch({ type: 'connection', connection: { status: status === 'closed' ? status : 'idle' } });
    sendPending();
    if (status !== 'closed') connect();
  }

  function loseLeadership(): void {
    const { outbox, vocabulary } = store.conversation;
    storage.setRestored(snapshot().stored);
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

  function connect(): void {
    if (!store.conversation.outcome) link.dispatch({ type: 'connect' });
  }

  function leaveSession(isLogout: boolean): void {
    link.dispatch({ type: 'disconnect', isImmediate: true });
    sessions.forget();
    storage.clear();
    storage.setRestored(null);
    store.dispatch({ type: 'session_left', vocabulary: sessions.vocabulary(), isLogout });
  }

  function replaceOwner(): void {
    store.dispatch({ type: 'user_ended' });
    // The end itself has revoked the ticket where it came at once.
    if (!store.conversation.outcome) sessions.revoke();
    leaveSession(true);
    connect();
  }

  function execute(command: TabCommand): void {
    switch (command.type) {
      case 'typing':
        link.notifyTyping();
        return;
      case 'woke':
        link.wake();
        return;
      case 'reconnect':
        connect();
        return;
      case 'new_chat':
        leaveSession(false);
        connect();
        return;
      case 'log_out':
        leaveSession(true);
        return;
      case 'claimed': {
        const { owner } = store.conversation;
        if (owner && owner !== command.owner) replaceOwner();
        store.dispatch(command);
        storage.save();
        return;
      }
      default:
        store.dispatch(command);
    }
  }

  const tabs = createTabs<Mirrored, MirroredStep, TabCommand>({
    ports,
    name: options.name,
    onLead: becomeLeader,
    onDeposed: loseLeadership,
    state: snapshot,
    adopt: applySnapshot,
    mirror: ({ action, nowMs }) => store.dispatch(action, nowMs),
    carryOut: execute,
  });

  return {
    get isLeading() {
      return tabs.isLeading;
    },
    join: tabs.join,
    dispatch(action) {
      if (tabs.isLeading) {
        execute(action);
        return;
      }
      if (store.isClosed) return;
      pending.add(action);
      sendPending();
      show();
    },
    sendToLeader: tabs.ask,
    show,
    postStep: tabs.postStep,
    postState: tabs.postState,
    destroy: tabs.destroy,
  };
}
