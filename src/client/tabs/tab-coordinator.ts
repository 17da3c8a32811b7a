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

/** A tab that was frozen learns within this time after its resumption that another tab leads. */
const LEADER_CHANGE_GRACE_MS = 2_000;

export interface TabCoordinatorOptions extends Leader {
  readonly ports: ClientPorts;
  /** The same in all tabs that share the conversation. */
  readonly name: string;
  readonly chatStore: ChatStore;
  /** What the page says about its visitor now. */
  readonly pageContext: () => CustomMap | null;
}

/** What a tab needs to show a conversation, and to lead it later. */
interface SharedState {
  readonly conversation: Conversation;
  /** The conversation as a later page resumes it. */
  readonly stored: StoredConversation;
}

/** One conversation in all tabs: the leader executes commands, the followers show its conversation. */
export class TabCoordinator {
  readonly #options: TabCoordinatorOptions;
  readonly #pending: PendingCommands;
  /** The tab keeps actions that the leader has not acknowledged. */
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

  /** The conversation as it will be when the leader has carried out what this tab asks for. */
  get expected(): Conversation {
    return this.#withPending();
  }

  /** False when it had joined already. */
  join(): boolean {
    // A visitor may have written before the page's words were known: the code for them loads late.
    if (!this.#tabs.hasJoined) this.#pending.describe(this.#options.pageContext());
    return this.#tabs.join();
  }

  /** Has an action carried out, in the way that the table of `commands.ts` says. */
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

  /** Shows the conversation, with the actions that the leader has not acknowledged. */
  show(): void {
    const { chatStore, storage } = this.#options;
    const shown = this.#withPending();
    chatStore.showConversation(shown);
    const isPending = this.#pending.list().length > 0;
    // Not before this page has read what the one before it left.
    const isFollower = this.#tabs.hasJoined && !this.#tabs.isLeading;
    if (isFollower && (isPending || this.#isKept)) storage.keepInTab(isPending ? shown : null);
    this.#isKept = isPending;
  }

  /** Sends the changes to the followers; nothing in a tab that does not lead. */
  replicate(): void {
    this.#tabs.replicate();
  }

  /** Sends the stored conversation to the followers. */
  replicateSession(): void {
    this.#stored = this.#toStored();
    this.#tabs.replicate();
  }

  /** Leaves for good. */
  destroy(): void {
    this.#tabs.destroy();
  }

  /** For other tabs, with the ticket that a cookie has for this one. */
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

  /** The replicated state is here, and the cursor brings the rest. */
  #becomeLeader(): void {
    const { storage, store } = this.#options;
    const { conversation } = store;
    // The previous leader may have sent these messages. The REST fallback has no deduplication, so that they are restored
    // as unconfirmed drafts.
    if (conversation.sessionId) storage.setRestored(storage.toStored(this.#withPending()));
    const { status } = conversation.connection;
    store.dispatch({ type: 'connection', connection: { status: status === 'closed' ? status : 'idle' } });
    // The leader before may have executed these two already; the session that they began is in the storage then.
    const isLeaving = this.#pending
      .list()
      .some(({ action }) => action.type === 'session_left' || action.type === 'claimed');
    if (isLeaving) void this.#adoptStored(status !== 'closed');
    else this.#executePending(status !== 'closed');
  }

  /** Continues the session that the previous leader began for pending commands, if it did, and executes the others. */
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
      // The tick does nothing but acknowledge: the executor drops these commands, from this tab and from others.
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

  /** For drafts that could be delivered twice, because nothing deduplicates them. */
  #returnToComposer(drafts: Outbox): void {
    const { chatStore } = this.#options;
    const texts = [...drafts.map(textOf), chatStore.state.unsent.peek()];
    chatStore.setUnsent(texts.filter(Boolean).join('\n'));
  }
}
