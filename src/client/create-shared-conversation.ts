import { LIMITS } from '../protocol/index.ts';
import { createAgentJoin } from './agent-join.ts';
import type { CurrentSession } from './chat-client.ts';
import { createChatLifecycle } from './chat-lifecycle.ts';
import { createLink } from './connection/create-link.ts';
import { type Command, isOver, NEW_CONVERSATION } from './conversation/conversation-state.ts';
import { type ConversationChange, createConversationStore } from './conversation/conversation-store.ts';
import { createConversationTimer } from './conversation-timer.ts';
import { hashUserId } from './session/hash-user-id.ts';
import { Sessions } from './session/sessions.ts';
import type { SharedConversation, SharedConversationOptions } from './shared-conversation.ts';
import { createConversationStorage } from './storage/conversation-storage.ts';
import { createRecord } from './storage/create-record.ts';
import { storageKey } from './storage/storage-key.ts';
import type { StoredConversation } from './storage/stored-conversation.ts';
import { unaskedDrafts } from './storage/unasked-drafts.ts';
import { createChatStore } from './store/create-chat-store.ts';
import { TabCoordinator } from './tabs/tab-coordinator.ts';

/** These change what there is to resume. */
const SESSION_ACTIONS: ReadonlySet<string> = new Set(['restored', 'session_started', 'session_left']);

/** A long history comes in many frames; it is shown this often until all of it has been read. */
const SHOW_HISTORY_EVERY_MS = 1_000;

export function createSharedConversation(options: SharedConversationOptions): SharedConversation {
  const { chat, endpoint, ports } = options;
  const { connector = 'default', idleTimeoutMs = LIMITS.inactivityMs } = chat;
  const { clock } = ports;
  const key = storageKey(endpoint, connector);
  const chatStore = createChatStore();
  let unread = chat.unread ?? 0;
  let shownAtMs = 0;

  const store = createConversationStore({
    start: { ...NEW_CONVERSATION, vocabulary: chat.vocabulary ?? 'neutral', lastActivityMs: clock.now() },
    clock,
    onChange,
  });
  const current = () => store.conversation;
  const storage = createConversationStorage({
    record: createRecord(ports.storage, key),
    current,
    identity: () => sessions.identity(),
    isLeading: () => tabs.isLeading,
  });
  const sessions = new Sessions({
    ...options,
    storage,
    current,
    onTurn: share,
    onSession: startSession,
  });
  const link = createLink({
    ports,
    sessions,
    onFrame: chat.onFrame,
    current,
    isInUse: () => tabs.isLeading,
    dispatch: store.dispatch,
    onCheck: checkIdle,
  });
  const agentJoin = createAgentJoin({ chat, clock, store, link, currentSession });
  const tabs: TabCoordinator = new TabCoordinator({
    ports,
    name: key,
    store,
    link,
    sessions,
    storage,
    chatStore,
  });
  const timer = createConversationTimer({
    clock,
    store,
    storage,
    sessions,
    onDeadline: () => tabs.notify({ type: 'tick' }),
    onTicketRenewed: share,
  });
  const lifecycle = createChatLifecycle({
    clock,
    store,
    storage,
    sessions,
    tabs,
    currentSession,
    hashOwner: (userId) => hashUserId(`${endpoint}\n${connector}`, userId),
    release() {
      timer.clear();
      tabs.destroy();
      link.destroy();
      sessions.forget();
    },
  });

  function onChange(change: ConversationChange): void {
    const { before, conversation, action } = change;
    for (const id of change.ignored) link.trace('local', `left out: ${id}`);
    if (tabs.isLeading) change.commands.forEach(run);
    const isHistory = action.type === 'frame' && !conversation.isLive;
    if (!isHistory || clock.now() - shownAtMs >= SHOW_HISTORY_EVERY_MS) {
      shownAtMs = clock.now();
      tabs.show();
      tabs.replicate();
    }
    if (before.outcome !== conversation.outcome && conversation.outcome) endSession();
    if (SESSION_ACTIONS.has(action.type)) {
      storage.save();
      tabs.replicateSession();
    } else storage.saveChange(before);
    timer.set();
  }

  function run(command: Command): void {
    // A socket that closed this instant takes nothing; the draft is pending and the next replay decides.
    if (!('payload' in command)) link.dispatch(command);
    else if (command.type === 'EVENT_TYPE_REQUEST_AGENT_JOIN') void agentJoin.request(command);
    else link.write(command);
  }

  function currentSession(): CurrentSession {
    const { sessionId, transcript, owner } = store.conversation;
    return {
      sessionId,
      contextId: transcript.contextId,
      owner,
      submit: (token, signal) => sessions.submitContext(sessions.ticket(), token, signal),
    };
  }

  /** Credentials are available. */
  function startSession(resumed: StoredConversation | null): void {
    const { sessionId, outbox } = store.conversation;
    const unaskedIds = unaskedDrafts(storage.restored, outbox, clock.now());
    storage.setRestored(null);
    // This tab took over from another one, and has the conversation.
    if (sessionId && resumed?.sessionId === sessionId) {
      storage.save();
      return;
    }
    if (!resumed) agentJoin.reset();
    store.dispatch({
      type: 'session_started',
      sessionId: sessions.identity()?.sessionId ?? '',
      vocabulary: sessions.vocabulary(),
      isResumed: resumed !== null,
      unread,
      unaskedIds,
    });
    unread = 0;
  }

  function endSession(): void {
    lifecycle.noteEnded();
    sessions.stop();
    if (!tabs.isLeading) return;
    sessions.revoke();
    storage.save();
  }

  /** Stores and replicates a change of the session that is none of the conversation. */
  function share(): void {
    storage.save();
    tabs.replicateSession();
    timer.set();
  }

  /** Source: ST-2. */
  function checkIdle(): void {
    // This page is visible, and the leader may be in a hidden one that has slept.
    if (!tabs.isLeading) tabs.notify({ type: 'woke' });
    const { lastActivityMs, links, outcome } = store.conversation;
    const idleMs = clock.now() - lastActivityMs;
    const isRunning = links > 0 && !outcome;
    if (isRunning && idleTimeoutMs > 0 && idleMs > idleTimeoutMs) tabs.notify({ type: 'expired' });
  }

  return {
    store: chatStore,
    isOver: () => store.isClosed || isOver(store.conversation),
    dispatch: (action) => tabs.dispatch(action),
    notify: (action) => tabs.notify(action),
    lifecycle: lifecycle.methods,
  };
}
