import type { CustomMap } from '../../protocol/index.ts';
import { execute, isKept, type Leader, type TabAction } from '../commands.ts';
import { type Conversation, hasMessage, isHandled } from '../conversation/conversation-state.ts';
import { isUnconfirmed, type Outbox, textOf } from '../conversation/outbox/outbox-state.ts';
import type { ClientPorts } from '../ports.ts';
import type { StoredConversation } from '../storage/stored-conversation.ts';
import { toRestoredAction } from '../storage/to-restored-action.ts';
import type { ChatStore } from '../store/create-chat-store.ts';
import { createPendingCommands, type PendingCommands } from './pending-commands.ts';
import { Tabs } from './tabs.ts';

/** A resumed tab receives the message of another leader within this time. */
const LEADER_CHANGE_GRACE_MS = 2_000;

export interface TabCoordinatorOptions extends Leader {
  readonly ports: ClientPorts;
  /** Name of the shared conversation, equal in all its tabs. */
  readonly name: string;
  readonly chatStore: ChatStore;
  /** The page's current data about its visitor. */
  readonly pageContext: () => CustomMap | null;
}

/** State that a tab needs to show a conversation, and to lead it later. */
interface SharedState {
  readonly conversation: Conversation;
  /** The conversation as a later page would resume it. */
  readonly stored: StoredConversation;
}

/** One conversation in all tabs: the leader executes commands, the followers show its conversation. */
export class TabCoordinator {
  readonly #options: TabCoordinatorOptions;
  readonly #pending: PendingCommands;
  /** Whether the tab keeps actions that the leader has not acknowledged. */
  #isKept = false;
  readonly #tabs: Tabs<SharedState>;
  #stored: StoredConversation;

  constructor(options: TabCoordinatorOptions) {
    const { ports, name, store } = options;
    this.#options = options;
    this.#pending = createPendingCommands(ports.createId);
    this.#stored = this.#toStored();
    this.#tabs = new Tabs<SharedState>({
      ports,
      name,
      state: () => ({ conversation: store.conversation, stored: this.#stored }),
      onState: (state) => this.#applyState(state),
      onLead: () => this.#becomeLeader(),
      onLeadershipLost: () => this.#loseLeadership(),
      pending: this.#pending.list,
      execute: (action, commandId) => this.#execute(action, commandId),
    });
  }

  get isLeading(): boolean {
    return this.#tabs.isLeading;
  }

  /** The conversation as it will be when the leader has executed this tab's actions. */
  get expected(): Conversation {
    return this.#withPending();
  }

  /** False when it had joined already. */
  join(): boolean {
    // The visitor may have written before the page's context was available, because its code loads late.
    if (!this.#tabs.hasJoined) this.#pending.describe(this.#options.pageContext());
    return this.#tabs.join();
  }

  /** Runs an action as the table in `commands.ts` defines. */
  run(action: TabAction): void {
    if (!isKept(action)) this.#tabs.notify(action);
    else if (this.#options.store.isClosed) return;
    else if (this.#tabs.isLeading) this.#execute(action);
    else {
      this.#pending.add(action);
      this.#tabs.ask();
      this.show();
    }
  }

  /** Shows the conversation, including unacknowledged actions. */
  show(): void {
    const { chatStore, storage } = this.#options;
    const shown = this.#withPending();
    chatStore.showConversation(shown);
    const isPending = this.#pending.list().length > 0;
    // Not before this page has read the stored state of the previous one.
    const isFollower = this.#tabs.hasJoined && !this.#tabs.isLeading;
    if (isFollower && (isPending || this.#isKept)) storage.keepInTab(isPending ? shown : null);
    this.#isKept = isPending;
  }

  /** Sends changes to the followers; does nothing in a follower. */
  replicate(): void {
    this.#tabs.replicate();
  }

  /** Sends the stored conversation to the followers. */
  replicateSession(): void {
    this.#stored = this.#toStored();
    this.#tabs.replicate();
  }

  /** Leaves permanently. */
  destroy(): void {
    this.#tabs.destroy();
  }

  /** State for other tabs, including the ticket if this tab's is in a cookie. */
  #toStored(): StoredConversation {
    const { storage, sessions } = this.#options;
    return { ...storage.toStored(), resumeTicket: sessions.credentials.ticket() };
  }

  #execute(action: TabAction, commandId?: string): void {
    execute(this.#options, action, commandId);
  }

  #withPending(): Conversation {
    const { store, ports } = this.#options;
    return this.#pending.applyTo(store.conversation, ports.clock.now());
  }

  #applyState({ conversation, stored }: SharedState): void {
    const { storage, store } = this.#options;
    this.#stored = stored;
    storage.setRestored(stored);
    store.dispatch({ type: 'replicated', conversation });
  }

  /** The replicated state is available, and the cursor fetches the rest. */
  #becomeLeader(): void {
    const { storage, store } = this.#options;
    const { conversation } = store;
    // The previous leader may have sent these messages. The REST fallback has no deduplication, so that they are restored
    // as unconfirmed drafts.
    if (conversation.sessionId) storage.setRestored(storage.toStored(this.#withPending()));
    const { status } = conversation.connection;
    store.dispatch({ type: 'connection', connection: { status: status === 'closed' ? status : 'idle' } });
    // The previous leader may already have executed these two; storage then has the session that they started.
    const isLeaving = this.#pending
      .list()
      .some(({ action }) => action.type === 'session_left' || action.type === 'claimed');
    if (isLeaving) void this.#adoptStored(status !== 'closed');
    else this.#executePending(status !== 'closed');
  }

  /**
   * Continues a session that the previous leader started for pending commands, if any, and executes the other commands.
   */
  async #adoptStored(isConnecting: boolean): Promise<void> {
    const { storage, store, ports } = this.#options;
    const stored = await storage.peek();
    if (!this.#tabs.isLeading) return;
    const { sessionId, owner } = store.conversation;
    const executed = stored?.commands ?? [];
    const isRepeated = this.#pending.list().some(({ id }) => executed.includes(id));
    if (isRepeated && stored && stored.sessionId !== sessionId) {
      storage.setRestored(stored);
      store.dispatch({ type: 'session_left', isLogout: stored.owner !== owner });
      const restored = toRestoredAction(stored, ports.clock.now());
      const drafts = restored.drafts.filter(({ localId }) => !hasMessage(store.conversation, localId));
      store.dispatch({ ...restored, drafts });
      // The tick only acknowledges: the executor drops these commands, from this tab and others.
      for (const id of executed) if (!isHandled(store.conversation, id)) store.dispatch({ type: 'tick' }, id);
    }
    this.#executePending(isConnecting);
  }

  #executePending(isConnecting: boolean): void {
    for (const { id, action } of this.#pending.list()) this.#execute(action, id);
    if (isConnecting) this.#execute({ type: 'reconnect' });
  }

  #loseLeadership(): void {
    const { ports, store, storage, sessions, connection } = this.#options;
    const { outbox, vocabulary } = store.conversation;
    storage.setRestored(this.#toStored());
    // The new leader may have taken over before these drafts were stored, so they are sent to it.
    const nowMs = ports.clock.now();
    const unconfirmed = outbox.filter(
      (draft) => isUnconfirmed(draft) && nowMs - draft.createdAtMs < LEADER_CHANGE_GRACE_MS,
    );
    if (vocabulary === 'neutral' && !sessions.isTurnBased()) {
      for (const { localId, event } of unconfirmed) this.#pending.add({ type: 'written', localId, event });
    } else if (unconfirmed.length > 0) this.#returnToComposer(unconfirmed);
    connection.dispatch({ type: 'disconnect', isImmediate: true });
    sessions.forget();
  }

  /** Returns drafts to the composer that could be delivered twice, because nothing deduplicates them. */
  #returnToComposer(drafts: Outbox): void {
    const { chatStore } = this.#options;
    const texts = [...drafts.map(textOf), chatStore.state.unsent.peek()];
    chatStore.setUnsent(texts.filter(Boolean).join('\n'));
  }
}
