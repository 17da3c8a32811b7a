import { type ClientEvent, decodeServerFrame, encodeClientEvent, LIMITS } from '../protocol/index.ts';
import { callSafely } from './call-safely.ts';
import type { ChatClient, ChatClientOptions, FrameTrace } from './chat-client.ts';
import type { ConnectionStatus } from './chat-state.ts';
import { createConnection } from './connection/create-connection.ts';
import { type Conversation, type ConversationInput, isOver } from './conversation/conversation-state.ts';
import { createConversation } from './conversation/create-conversation.ts';
import { conversationDeadlineMs, reduceConversation } from './conversation/transition.ts';
import { createDefaultPorts } from './default-ports.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { isUnconfirmed, type Outbox } from './outbox/outbox-state.ts';
import { carryOver, NO_ANSWER } from './outbox/transition.ts';
import { isUrlAllowed } from './session/check-url.ts';
import { createSessions, isFresh } from './session/create-sessions.ts';
import { createRecord } from './storage/create-record.ts';
import { storageKey } from './storage/storage-key.ts';
import {
  fromStoredDraft,
  NO_SESSION,
  type StoredConversation,
  toStoredDraft,
} from './storage/stored-conversation.ts';
import { createChatStore } from './store/create-chat-store.ts';
import { createTimer } from './timer.ts';
import { createTypingPacer } from './typing/create-typing-pacer.ts';

/** A drop shorter than this is not worth a word. Source: CON-6. */
const LOST_AFTER_MS = 500;

/** Activity matters to the minute; a write for every chunk of a stream would be waste. */
const STORE_ACTIVITY_EVERY_MS = 10_000;

/**
 * Makes a client for one conversation. Nothing happens before `start()`: no request, no storage, no socket.
 *
 * Faults of the network, the proxy and the platform never throw; they show in `connection`, `session` and in
 * the delivery status of a message. Throws a `TypeError` only for an `endpoint` that is not an encrypted
 * address (H-3), which no visitor could mend.
 *
 * @example
 * const chat = createChatClient({ endpoint: 'https://chat.example.com' });
 * chat.subscribe(({ messages }) => console.log(messages.length));
 * await chat.start();
 * chat.send('When does the ferry leave?');
 */
export function createChatClient(options: ChatClientOptions): ChatClient {
  const {
    allowInsecure = false,
    connector = 'default',
    idleTimeoutMs = LIMITS.inactivityMs,
    onFrame,
  } = options;
  const endpoint = options.endpoint.replace(/\/+$/, '');
  if (!isUrlAllowed(endpoint, allowInsecure)) {
    throw new TypeError('`endpoint` must be an https address.');
  }
  const ports = { ...createDefaultPorts(), ...options.ports };
  const { clock } = ports;
  const record = createRecord(ports.storage, storageKey(endpoint, connector));
  const store = createChatStore();
  const tickTimer = createTimer(clock);
  const lostTimer = createTimer(clock);
  const endWaiters = new Set<() => void>();
  const sessions = createSessions({
    chat: options,
    endpoint,
    ports,
    record,
    isUrlAllowed: (url) => isUrlAllowed(url, allowInsecure),
    onSession: beginSession,
  });
  let conversation = emptyConversation([], false);
  /** Nothing is stored before the visitor's first message, unless it was stored already. */
  let mayStore = false;
  let storedActivityMs = 0;
  /** What an earlier page left, until there is a session for it. */
  let left: StoredConversation | null = null;
  let starting: Promise<void> | null = null;
  let isDestroyed = false;

  const typing = createTypingPacer(clock, (state) => {
    const isHeard = conversation.link === 'live' && conversation.transcript.hasAgentJoined;
    return isHeard && write({ type: 'EVENT_TYPE_USER_TYPING', payload: { state }, custom: null });
  });
  const connection = createConnection({
    ports,
    obtainSession: (request) => sessions.obtain(request),
    isServiceUp: () => sessions.isServiceUp(),
    socketUrl: () => sessions.socketUrl(conversation.transcript.cursor),
    sendHeartbeat: () => void write({ type: 'EVENT_TYPE_HEARTBEAT', payload: {}, custom: null }),
    onStatus: showConnection,
    onText: read,
    onEnded: () => input({ type: 'closed' }),
    onCheck: checkIdle,
  });

  /** One input at a time: what a subscriber does in answer to a change comes after the change is complete. */
  const input = oneAtATime((next: ConversationInput): void => {
    if (isDestroyed) return;
    const before = conversation;
    const step = reduceConversation(before, next, clock.now());
    conversation = step.conversation;
    for (const id of step.ignored) trace('local', `left out: ${id}`);
    if (before.transcript.capabilities !== conversation.transcript.capabilities) applyCapabilities();
    for (const command of step.commands) {
      // A socket that closed this instant takes nothing; the draft is pending and the next replay decides.
      if (command.type === 'send') write(command.event);
      else connection.dispatch(command);
    }
    store.showConversation(conversation);
    if (before.outcome !== conversation.outcome) showOutcome();
    const isNewsForStorage = conversation.lastActivityMs - storedActivityMs >= STORE_ACTIVITY_EVERY_MS;
    if (before.outbox !== conversation.outbox || isNewsForStorage) save();
    setTick();
  });

  function emptyConversation(outbox: Outbox, isResumed: boolean): Conversation {
    const vocabulary = sessions.vocabulary();
    return createConversation({ vocabulary, outbox, isResumed, nowMs: clock.now() });
  }

  function replaceConversation(outbox: Outbox, isResumed: boolean): void {
    conversation = emptyConversation(outbox, isResumed);
    applyCapabilities();
    store.showConversation(conversation);
    save();
  }

  /** A pair is in hand. For a resumed session the log says what was said; only drafts come from storage. */
  function beginSession(resumed: StoredConversation | null): void {
    const { outbox } = conversation;
    const kept = (left?.drafts ?? []).map(fromStoredDraft);
    // Words that waited for their first session go into this one, unless that was long ago.
    const isAwaited = isFresh(left, clock.now()) && left.resumeTicket === '';
    left = null;
    if (resumed || kept.length > 0) mayStore = true;
    if (resumed) {
      replaceConversation([...kept, ...outbox], true);
    } else {
      // Other drafts of an earlier page are shown in a new session, but not sent into it unasked.
      const shown = kept.map((draft) =>
        isAwaited && draft.delivery.status === 'queued' ? draft : { ...draft, delivery: NO_ANSWER },
      );
      replaceConversation(carryOver([...shown, ...outbox]), false);
    }
  }

  function applyCapabilities(): void {
    const { max_reconnect_attempts: maxAttempts, heartbeat_interval_seconds: seconds } =
      conversation.transcript.capabilities;
    const interval = seconds === null || seconds < 0 ? LIMITS.defaultHeartbeatIntervalSeconds : seconds;
    connection.dispatch({ type: 'budget_known', maxAttempts });
    connection.setHeartbeatInterval(interval * 1000);
  }

  function trace(direction: FrameTrace['direction'], text: string): void {
    if (onFrame) callSafely(onFrame, { direction, atMs: clock.now(), text });
  }

  function read(text: string): void {
    trace('in', text);
    const frame = decodeServerFrame(text);
    if (frame.kind === 'drop') trace('local', `left out: ${frame.reason}`);
    else if (frame.events.some(({ type }) => type !== 'EVENT_TYPE_HEARTBEAT')) showLost(false);
    input({ type: 'frame', frame });
  }

  function write(event: ClientEvent): boolean {
    const text = encodeClientEvent(event, conversation.vocabulary);
    const isWritten = connection.send(text);
    if (isWritten) trace('out', text);
    return isWritten;
  }

  function setTick(): void {
    const nowMs = clock.now();
    if (renewalDueAtMs() <= nowMs) void renewTicket();
    const dueAtMs = Math.min(conversationDeadlineMs(conversation, nowMs), renewalDueAtMs());
    if (dueAtMs < Infinity) tickTimer.set(Math.max(0, dueAtMs - nowMs), () => input({ type: 'tick' }));
    else tickTimer.clear();
  }

  /** True for a conversation that a reload would come back to. Source: ST-3, ST-4. */
  const isKept = (): boolean => mayStore && !isOver(conversation);

  function renewalDueAtMs(): number {
    const { link, lastActivityMs } = conversation;
    return isKept() ? sessions.ticketDueAtMs(link !== 'down', lastActivityMs) : Infinity;
  }

  async function renewTicket(): Promise<void> {
    await sessions.renewTicket();
    if (isDestroyed) return;
    save();
    setTick();
  }

  function save(): void {
    if (!isKept()) return;
    const { outbox, lastActivityMs } = conversation;
    // Until a session is there, the visitor's words are kept under the one they may still get back, or under none.
    const { sessionId, resumeTicket } = sessions.identity() ?? left ?? NO_SESSION;
    const drafts = [...(left?.drafts ?? []), ...outbox.filter(isUnconfirmed).map(toStoredDraft)];
    storedActivityMs = lastActivityMs;
    record.save({ sessionId, resumeTicket, lastActivityMs, drafts });
  }

  /** Source: ST-2. */
  function checkIdle(): void {
    const idleMs = clock.now() - conversation.lastActivityMs;
    const isRunning = store.state.session.peek().status === 'active';
    if (isRunning && idleTimeoutMs > 0 && idleMs > idleTimeoutMs) input({ type: 'expired' });
  }

  function showLost(hasLostConnection: boolean): void {
    lostTimer.clear();
    store.show({ hasLostConnection });
  }

  function showConnection(status: ConnectionStatus, previous: ConnectionStatus): void {
    trace('local', `connection ${status.status}`);
    if (status.status === 'open') {
      showLost(false);
      if (!conversation.outcome) store.show({ session: { status: 'active' } });
      input({ type: 'opened' });
    } else if (previous.status === 'open') {
      typing.reset();
      input({ type: 'dropped' });
      if (status.status === 'reconnecting') lostTimer.set(LOST_AFTER_MS, () => showLost(true));
    }
    store.show({ connection: status });
  }

  function showOutcome(): void {
    const { outcome, link } = conversation;
    if (!outcome) {
      if (link !== 'down') store.show({ session: { status: 'active' } });
      return;
    }
    store.show({ session: outcome === 'expired' ? { status: outcome } : { status: 'ended', by: outcome } });
    showLost(false);
    releaseWaiters();
    sessions.stop();
    record.save(null);
  }

  function releaseWaiters(): void {
    for (const resolve of endWaiters) resolve();
    endWaiters.clear();
  }

  async function start(): Promise<void> {
    left = await record.load();
    if (isDestroyed) return;
    if (isFresh(left, clock.now()) && left.resumeTicket) store.show({ session: { status: 'restored' } });
    connection.dispatch({ type: 'connect' });
  }

  function endChat(): Promise<void> {
    if (isDestroyed || conversation.outcome) return Promise.resolve();
    const ended = new Promise<void>((resolve) => endWaiters.add(resolve));
    input({ type: 'user_ended' });
    return ended;
  }

  return {
    ...store.state,
    subscribe: store.subscribe,
    start() {
      starting ??= start();
      return starting;
    },
    hasStoredConversation: async () => isFresh(await record.load(), clock.now()),
    send(given) {
      const text = given.trim();
      if (!text) return { status: 'refused', reason: 'blank' };
      if (isOver(conversation)) return { status: 'refused', reason: 'chat_ended' };
      const localId = ports.createId();
      mayStore = true;
      input({ type: 'written', localId, text });
      return { status: 'accepted', localId };
    },
    retry: (localId) => input({ type: 'retried', localId, newLocalId: ports.createId() }),
    discard: (localId) => input({ type: 'discarded', localId }),
    notifyTyping: typing.notify,
    markRead: () => input({ type: 'read' }),
    reconnect() {
      if (!isDestroyed && !conversation.outcome) connection.dispatch({ type: 'connect' });
    },
    endChat,
    async newChat() {
      await endChat();
      if (isDestroyed) return;
      connection.dispatch({ type: 'disconnect', isImmediate: true });
      sessions.forget();
      record.save(null);
      mayStore = false;
      left = null;
      replaceConversation([], false);
      store.show({ session: { status: 'unknown' } });
      connection.dispatch({ type: 'connect' });
    },
    destroy() {
      if (isDestroyed) return;
      isDestroyed = true;
      tickTimer.clear();
      lostTimer.clear();
      typing.reset();
      connection.destroy();
      sessions.forget();
      store.removeListeners();
      releaseWaiters();
    },
  };
}
