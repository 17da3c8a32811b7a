import { type ClientEvent, clientEventIdOf, LIMITS } from '../../protocol/index.ts';
import type { ChatClientOptions, CurrentSession } from '../chat-client.ts';
import { ConversationConnection } from '../connection/conversation-connection.ts';
import { type AgentJoin, createAgentJoin } from '../context/agent-join.ts';
import { type Command, isOver, NEW_CONVERSATION } from '../conversation/conversation-state.ts';
import {
  type ConversationChange,
  type ConversationStore,
  createConversationStore,
} from '../conversation/conversation-store.ts';
import { type ConversationTimer, createConversationTimer } from '../conversation/conversation-timer.ts';
import type { ClientPorts } from '../ports.ts';
import { retryImport } from '../retry-import.ts';
import type { ChatServices } from '../services/chat-services.ts';
import { Sessions } from '../session/sessions.ts';
import { type ConversationStorage, createConversationStorage } from '../storage/conversation-storage.ts';
import { createRecord } from '../storage/create-record.ts';
import { pastKey, storageKey, typedTextKey } from '../storage/storage-key.ts';
import type { StoredConversation } from '../storage/stored-conversation.ts';
import { createTypedText, type TypedText } from '../storage/typed-text.ts';
import { unaskedDrafts } from '../storage/unasked-drafts.ts';
import { type ChatStore, createChatStore } from '../store/create-chat-store.ts';
import { ChatLifecycle } from './chat-lifecycle.ts';
import { TabCoordinator } from './tab-coordinator.ts';

export interface SharedConversationOptions {
  readonly chat: ChatClientOptions;
  readonly endpoint: string;
  readonly ports: ClientPorts;
}

/** Actions that change the resumable state. */
const SESSION_ACTIONS: ReadonlySet<string> = new Set(['restored', 'session_started', 'session_left']);

/** A long history arrives in many frames; it is rendered at this interval until it is complete. */
const SHOW_HISTORY_EVERY_MS = 1_000;

/** A conversation shared by all tabs of a browser, as known to this tab. */
export class SharedConversation {
  readonly chatStore: ChatStore;
  readonly tabs: TabCoordinator;
  readonly lifecycle: ChatLifecycle;
  readonly #options: SharedConversationOptions;
  readonly #store: ConversationStore;
  readonly #storage: ConversationStorage;
  readonly #typedText: TypedText;
  readonly #sessions: Sessions;
  readonly #connection: ConversationConnection;
  readonly #agentJoin: AgentJoin;
  readonly #timer: ConversationTimer;
  /** Unread messages of an earlier page, until there is a session. */
  #unread: number;
  #shownAtMs = 0;

  /** Stores and replicates a change of the session that does not affect the conversation. */
  readonly #share = (): void => {
    this.#storage.save();
    this.tabs.replicateSession();
    this.#timer.set();
  };

  readonly currentSession = (): CurrentSession => {
    const { sessionId, transcript } = this.#store.conversation;
    const { owner } = this.tabs.expected;
    const { credentials } = this.#sessions;
    return {
      sessionId,
      contextId: transcript.contextId,
      owner,
      isOwn: this.lifecycle.isOwn(owner),
      submit: (token, signal) => credentials.submitContext(credentials.ticket(), token, signal),
    };
  };

  readonly requestContact: Sessions['requestContact'] = (details) => this.#sessions.requestContact(details);

  /** Loads the services of the conversation. Rejects if their code cannot be loaded. */
  readonly services = async (): Promise<ChatServices> => {
    const { createChatServices } = await retryImport(() => import('../services/chat-services.ts'));
    const { visitors, state } = this.chatStore;
    return createChatServices({
      ...this.#options,
      visitors,
      messages: () => state.messages.peek().map((entry) => entry.peek()),
      sessionId: () => this.#store.conversation.sessionId,
      owner: () => this.lifecycle.owner(),
      isLeading: () => this.tabs.isLeading,
      ticket: () => this.#sessions.credentials.ticket(),
      stored: () => this.#storage.peek(),
      typed: () => this.#typedText.peek(),
    });
  };

  constructor(options: SharedConversationOptions) {
    const { chat, endpoint, ports } = options;
    const { connector = 'default', vocabulary = 'neutral' } = chat;
    const { clock } = ports;
    const { currentSession } = this;
    const name = storageKey(endpoint, connector);
    const typedText = createTypedText({
      storage: () => (chat.keepDraft === false ? null : ports.tabStorage()),
      key: typedTextKey(name),
      owner: () => this.#store.conversation.owner,
      isOfConversation: () => this.#storage.isUsed() && !this.isOver(),
      now: () => clock.now(),
    });
    this.#typedText = typedText;
    const chatStore = createChatStore(typedText.save);
    this.chatStore = chatStore;
    this.#options = options;
    this.#unread = chat.unread ?? 0;
    const store = createConversationStore({
      start: { ...NEW_CONVERSATION, vocabulary, lastActivityMs: clock.now() },
      clock,
      onChange: (change) => this.#onChange(change),
    });
    this.#store = store;
    const current = () => store.conversation;
    const isLeading = () => this.tabs.isLeading;
    const storage = createConversationStorage({
      record: createRecord(ports.storage, name, ports.tabStorage),
      current,
      identity: () => this.#sessions.identity(),
      isLeading,
      // If storage is blocked, there is nothing to remove.
      forgetPast: () => void ports.storage.delete(pastKey(name)).catch(() => undefined),
    });
    this.#storage = storage;
    const onSession = (resumed: StoredConversation | null) => this.#startSession(resumed);
    const sessions = new Sessions({ ...options, storage, current, onTurn: this.#share, onSession });
    this.#sessions = sessions;
    const connection = new ConversationConnection({
      ports,
      sessions,
      onFrame: chat.onFrame,
      current,
      isInUse: isLeading,
      dispatch: store.dispatch,
      read: store.read,
      onCheck: () => this.#checkIdle(),
    });
    this.#connection = connection;
    this.#agentJoin = createAgentJoin({ chat, clock, store, connection, currentSession });
    const tabs = new TabCoordinator({
      ...{ ports, name, store, connection, sessions, storage, chatStore },
      pageContext: () => chat.page?.pageContext?.() ?? null,
    });
    this.tabs = tabs;
    const onDeadline = () => tabs.run({ type: 'tick' });
    const onTicketRenewed = this.#share;
    this.#timer = createConversationTimer({ clock, store, storage, sessions, onDeadline, onTicketRenewed });
    const ownerScope = `${endpoint}\n${connector}`;
    const release = () => this.#release();
    this.lifecycle = new ChatLifecycle({
      ...{ clock, store, storage, sessions, tabs, ownerScope, release },
      restoreTyped: (stored, owner) => chatStore.restoreUnsent(typedText.read(stored, owner)),
    });
  }

  /** True once the conversation has ended or this client was destroyed. */
  isOver(): boolean {
    return this.#store.isClosed || isOver(this.#store.conversation);
  }

  #onChange(change: ConversationChange): void {
    const { before, conversation, action } = change;
    const nowMs = this.#options.ports.clock.now();
    for (const id of change.ignored) this.#connection.trace('local', `left out: ${id}`);
    if (this.tabs.isLeading) for (const command of change.commands) this.#run(command);
    const isHistory = action.type === 'frame' && !conversation.isLive;
    if (!isHistory || nowMs - this.#shownAtMs >= SHOW_HISTORY_EVERY_MS) {
      this.#shownAtMs = nowMs;
      this.tabs.show();
      this.tabs.replicate();
    }
    if (before.outcome !== conversation.outcome && conversation.outcome) this.#endSession();
    if (SESSION_ACTIONS.has(action.type)) {
      this.#storage.save();
      this.tabs.replicateSession();
    } else this.#storage.saveChange(before);
    this.#timer.set();
  }

  #run(command: Command): void {
    // A socket that has just closed sends nothing; the draft is pending, and the next replay decides.
    if (!('payload' in command)) this.#connection.dispatch(command);
    else if (command.type === 'EVENT_TYPE_REQUEST_AGENT_JOIN') void this.#agentJoin.request(command);
    else if (command.type === 'EVENT_TYPE_X_FEEDBACK' && !this.#takesFeedback())
      void this.#giveFeedback(command);
    else this.#connection.write(command);
  }

  #takesFeedback(): boolean {
    return this.#store.conversation.transcript.extensions.includes('feedback');
  }

  /** The platform lacks the event, so the proxy's hook receives it. Source: EXT-6. */
  async #giveFeedback({
    payload,
    custom,
  }: Extract<ClientEvent, { type: 'EVENT_TYPE_X_FEEDBACK' }>): Promise<void> {
    const isAccepted = await this.#sessions.giveFeedback(payload);
    const localId = clientEventIdOf(custom) ?? '';
    if (isAccepted !== null) this.#store.dispatch({ type: 'feedback_answered', localId, isAccepted });
  }

  /** Credentials are available. */
  #startSession(resumed: StoredConversation | null): void {
    const { sessionId, outbox } = this.#store.conversation;
    const unaskedIds = unaskedDrafts(this.#storage.restored, outbox, this.#options.ports.clock.now());
    this.#storage.setRestored(null);
    // This tab took over from another one and already has the conversation.
    if (sessionId && resumed?.sessionId === sessionId) {
      this.#storage.save();
      return;
    }
    if (!resumed) this.#agentJoin.reset();
    this.#store.dispatch({
      type: 'session_started',
      sessionId: this.#sessions.identity()?.sessionId ?? '',
      vocabulary: this.#sessions.vocabulary(),
      offers: this.#sessions.offers(),
      isResumed: resumed !== null,
      unread: this.#unread,
      unaskedIds,
    });
    this.#unread = 0;
  }

  #endSession(): void {
    this.lifecycle.noteEnded();
    this.#sessions.stop();
    if (!this.tabs.isLeading) return;
    this.#sessions.credentials.revoke();
    this.#storage.save();
  }

  /** Source: ST-2. */
  #checkIdle(): void {
    const { idleTimeoutMs = LIMITS.inactivityMs } = this.#options.chat;
    // This page is visible; the leader may be in a hidden, suspended one.
    if (!this.tabs.isLeading) this.tabs.run({ type: 'woke' });
    const { lastActivityMs, connectionCount, outcome } = this.#store.conversation;
    const idleMs = this.#options.ports.clock.now() - lastActivityMs;
    const isRunning = connectionCount > 0 && !outcome;
    if (isRunning && idleTimeoutMs > 0 && idleMs > idleTimeoutMs) this.tabs.run({ type: 'expired' });
  }

  #release(): void {
    this.#timer.clear();
    this.tabs.destroy();
    this.#connection.destroy();
    this.#sessions.forget();
  }
}
