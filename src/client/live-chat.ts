import { type ClientEvent, decodeServerFrame, encodeClientEvent, LIMITS } from '../protocol/index.ts';
import { callSafely } from './call-safely.ts';
import type { ChatClientOptions, FrameTrace, SendOutcome } from './chat-client.ts';
import type { ConnectionStatus, SessionStatus } from './chat-state.ts';
import { ConnectionDriver } from './connection/driver.ts';
import type { Command, Conversation, ConversationInput } from './conversation/conversation-state.ts';
import { createConversation } from './conversation/create-conversation.ts';
import { conversationDeadlineMs, reduceConversation } from './conversation/transition.ts';
import { createDefaultPorts } from './default-ports.ts';
import { carryOver, NO_ANSWER } from './outbox/transition.ts';
import type { ClientPorts } from './ports.ts';
import { isUrlAllowed } from './session/check-url.ts';
import { isFresh, SessionManager } from './session/session-manager.ts';
import { ConversationRecord } from './storage/conversation-record.ts';
import { storageKey } from './storage/storage-key.ts';
import { fromStoredDraft, type StoredConversation, toStoredDraft } from './storage/stored-conversation.ts';
import { withMemoryFallback } from './storage/with-memory-fallback.ts';
import { ChatStore } from './store/chat-store.ts';
import { TypingPacer } from './typing/typing-pacer.ts';

/** A drop shorter than this is not worth a word. Source: CON-6. */
const LOST_AFTER_MS = 500;

/** Activity matters to the minute; a write for every chunk of a stream would be waste. */
const STORE_ACTIVITY_EVERY_MS = 10_000;

/**
 * The thing with a life behind `createChatClient`: it feeds the pure conversation, runs its commands, keeps
 * one timer for its deadlines and one stored value, and shows everything through the store.
 */
export class LiveChat {
  readonly store: ChatStore = new ChatStore();
  readonly #options: ChatClientOptions;
  readonly #ports: ClientPorts;
  readonly #record: ConversationRecord;
  readonly #sessions: SessionManager;
  readonly #connection: ConnectionDriver;
  readonly #typing: TypingPacer;
  #conversation: Conversation;
  #cancelTick: (() => void) | null = null;
  #cancelLost: (() => void) | null = null;
  /** Nothing is stored before the visitor's first message, unless it was stored already. */
  #mayStore = false;
  #stored: StoredConversation | null = null;
  #starting: Promise<void> | null = null;
  #isDestroyed = false;
  readonly #inputs: ConversationInput[] = [];
  #storedActivityMs = 0;
  readonly #endWaiters = new Set<() => void>();

  constructor(options: ChatClientOptions) {
    const endpoint = options.endpoint.replace(/\/+$/, '');
    if (!isUrlAllowed(endpoint, options.allowInsecure ?? false)) {
      throw new TypeError(
        '`endpoint` must be an https address; set `allowInsecure` for http on this machine.',
      );
    }
    const ports = { ...createDefaultPorts(), ...options.ports };
    this.#options = options;
    this.#ports = { ...ports, storage: withMemoryFallback(ports.storage) };
    this.#record = new ConversationRecord(
      this.#ports.storage,
      storageKey(endpoint, options.connector ?? 'default'),
    );
    this.#sessions = new SessionManager({
      chat: options,
      endpoint,
      ports: this.#ports,
      record: this.#record,
      onSession: (stored) => this.#beginSession(stored),
    });
    this.#conversation = this.#createConversation([], false);
    this.#typing = new TypingPacer(this.#ports.clock, (state) => {
      const { link, transcript } = this.#conversation;
      if (link.status !== 'live' || !transcript.hasAgentJoined) return false;
      return this.#write({ type: 'EVENT_TYPE_USER_TYPING', payload: { state }, custom: null });
    });
    this.#connection = new ConnectionDriver({
      ports: this.#ports,
      obtainSession: (request) => this.#sessions.obtain(request),
      socketUrl: () => this.#sessions.socketUrl(this.#conversation.transcript.cursor),
      sendHeartbeat: () => {
        this.#write({ type: 'EVENT_TYPE_HEARTBEAT', payload: {}, custom: null });
      },
      onStatus: (status, previous) => this.#showConnection(status, previous),
      onOpened: () => this.#input({ type: 'opened' }),
      onText: (text) => this.#read(text),
      onEnded: () => this.#input({ type: 'closed' }),
      onHeartbeatTick: () => this.#checkIdle(),
      onVisible: () => this.#checkIdle(),
    });
  }

  start(): Promise<void> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  async hasStoredConversation(): Promise<boolean> {
    return isFresh(await this.#record.load(), this.#ports.clock.now());
  }

  send(text: string): SendOutcome {
    const trimmed = text.trim();
    if (trimmed === '') return { status: 'refused', reason: 'blank' };
    if (this.#conversation.outcome || this.#conversation.hasUserEnded) {
      return { status: 'refused', reason: 'chat_ended' };
    }
    const localId = this.#ports.createId();
    this.#mayStore = true;
    this.#input({ type: 'written', localId, text: trimmed });
    return { status: 'accepted', localId };
  }

  retry(localId: string): void {
    this.#input({ type: 'retried', localId, newLocalId: this.#ports.createId() });
  }

  discard(localId: string): void {
    this.#input({ type: 'discarded', localId });
  }

  notifyTyping(): void {
    this.#typing.notify();
  }

  markRead(): void {
    this.#input({ type: 'read' });
  }

  reconnect(): void {
    if (this.#isDestroyed || this.#conversation.outcome) return;
    this.#connection.dispatch({ type: 'connect' });
  }

  endChat(): Promise<void> {
    if (this.#isDestroyed || this.#conversation.outcome) return Promise.resolve();
    const ended = new Promise<void>((resolve) => this.#endWaiters.add(resolve));
    this.#input({ type: 'user_ended' });
    return ended;
  }

  async newChat(): Promise<void> {
    if (this.#isDestroyed) return;
    if (!this.#conversation.outcome) await this.endChat();
    this.#connection.dispatch({ type: 'disconnect', isImmediate: true });
    this.#sessions.forget();
    this.#mayStore = false;
    this.#stored = null;
    this.#replaceConversation(this.#createConversation([], false));
    this.store.showSession({ status: 'unknown' });
    this.#connection.dispatch({ type: 'connect' });
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.#cancelTick?.();
    this.#cancelLost?.();
    this.#typing.reset();
    this.#connection.destroy();
    this.#sessions.destroy();
    this.store.removeListeners();
    for (const resolve of this.#endWaiters) resolve();
  }

  async #start(): Promise<void> {
    const stored = await this.#record.load();
    if (this.#isDestroyed) return;
    if (isFresh(stored, this.#ports.clock.now())) this.store.showSession({ status: 'restored' });
    // Shown at once, whatever becomes of the session: these are the visitor's own words.
    this.#stored = stored;
    this.#connection.dispatch({ type: 'connect' });
  }

  /** A pair is in hand. For a resumed session the log says what was said; only drafts come from storage. */
  #beginSession(resumed: StoredConversation | null): void {
    const { outbox, links } = this.#conversation;
    const isFirst = links === 0 && this.#stored !== null;
    const kept = isFirst ? (this.#stored?.drafts ?? []).map(fromStoredDraft) : [];
    this.#stored = null;
    if (resumed) {
      this.#mayStore = true;
      this.#replaceConversation(this.#createConversation([...kept, ...outbox], true));
      return;
    }
    // Drafts of an earlier page are shown in a new session, but not sent into it unasked.
    const failed = carryOver(kept).map((draft) => ({ ...draft, delivery: NO_ANSWER }));
    this.#replaceConversation(this.#createConversation([...failed, ...carryOver(outbox)], false));
  }

  #createConversation(outbox: Conversation['outbox'], isResumed: boolean): Conversation {
    const vocabulary = this.#sessions.vocabulary;
    return createConversation({ vocabulary, outbox, isResumed, nowMs: this.#ports.clock.now() });
  }

  #replaceConversation(conversation: Conversation): void {
    this.#conversation = conversation;
    this.#applyCapabilities();
    this.store.showConversation(conversation);
    this.#store();
  }

  #read(text: string): void {
    this.#trace('in', text);
    const frame = decodeServerFrame(text);
    if (frame.kind === 'drop') this.#trace('local', `left out: ${frame.reason}`);
    const isSign =
      frame.kind === 'events' && frame.events.some(({ type }) => type !== 'EVENT_TYPE_HEARTBEAT');
    if (isSign) this.#showLost(false);
    this.#input({ type: 'frame', frame });
  }

  /** One input at a time: what a subscriber does in answer to a change comes after the change is complete. */
  #input(input: ConversationInput): void {
    this.#inputs.push(input);
    if (this.#inputs.length > 1) return;
    for (let next = this.#inputs[0]; next; next = this.#inputs[0]) {
      if (!this.#isDestroyed) this.#take(next);
      this.#inputs.shift();
    }
  }

  #take(input: ConversationInput): void {
    const before = this.#conversation;
    const { conversation, commands, ignored } = reduceConversation(before, input, this.#ports.clock.now());
    this.#conversation = conversation;
    for (const id of ignored) this.#trace('local', `left out: ${id}`);
    if (before.transcript.capabilities !== conversation.transcript.capabilities) this.#applyCapabilities();
    for (const command of commands) this.#run(command);
    this.store.showConversation(conversation);
    this.#showOutcome(before, conversation);
    const isNewsForStorage = conversation.lastActivityMs - this.#storedActivityMs >= STORE_ACTIVITY_EVERY_MS;
    if (before.outbox !== conversation.outbox || isNewsForStorage) this.#store();
    this.#setTick();
  }

  #run(command: Command): void {
    switch (command.type) {
      case 'send':
        // A socket that closed this instant takes nothing; the draft is pending and the next replay decides.
        this.#write(command.event);
        return;
      case 'reject_session':
        this.#connection.dispatch({ type: 'session_rejected' });
        return;
      case 'recycle':
        this.#connection.dispatch({ type: 'socket_broken' });
        return;
      case 'close':
        this.#connection.dispatch({ type: 'disconnect', isImmediate: false });
        return;
    }
  }

  #write(event: ClientEvent): boolean {
    const text = encodeClientEvent(event, this.#conversation.vocabulary);
    const isWritten = this.#connection.send(text);
    if (isWritten) this.#trace('out', text);
    return isWritten;
  }

  #setTick(): void {
    this.#cancelTick?.();
    const nowMs = this.#ports.clock.now();
    if (this.#renewalDueAtMs() <= nowMs) void this.#renewTicket();
    const dueAtMs = Math.min(
      conversationDeadlineMs(this.#conversation, nowMs) ?? Number.POSITIVE_INFINITY,
      this.#renewalDueAtMs(),
    );
    this.#cancelTick = Number.isFinite(dueAtMs)
      ? this.#ports.clock.setTimer(() => this.#input({ type: 'tick' }), Math.max(0, dueAtMs - nowMs))
      : null;
  }

  /** Only for a conversation that a reload would come back to. */
  #renewalDueAtMs(): number {
    const { link, lastActivityMs } = this.#conversation;
    return this.#isKept
      ? this.#sessions.ticketDueAtMs(link.status !== 'down', lastActivityMs)
      : Number.POSITIVE_INFINITY;
  }

  async #renewTicket(): Promise<void> {
    await this.#sessions.renewTicket();
    if (this.#isDestroyed) return;
    this.#store();
    this.#setTick();
  }

  #applyCapabilities(): void {
    const { max_reconnect_attempts: maxAttempts, heartbeat_interval_seconds: seconds } =
      this.#conversation.transcript.capabilities;
    const interval = seconds === null || seconds < 0 ? LIMITS.defaultHeartbeatIntervalSeconds : seconds;
    this.#connection.dispatch({ type: 'budget_known', maxAttempts });
    this.#connection.setHeartbeatInterval(interval * 1000);
  }

  /** Source: ST-2. */
  #checkIdle(): void {
    const { idleTimeoutMs = LIMITS.inactivityMs } = this.#options;
    const idleMs = this.#ports.clock.now() - this.#conversation.lastActivityMs;
    const isRunning = this.store.state.session.peek().status === 'active';
    if (isRunning && idleTimeoutMs > 0 && idleMs > idleTimeoutMs) this.#input({ type: 'expired' });
  }

  #showConnection(status: ConnectionStatus, previous: ConnectionStatus): void {
    this.#trace('local', `connection ${status.status}`);
    if (status.status === 'open') {
      this.#showLost(false);
      if (!this.#conversation.outcome) this.store.showSession({ status: 'active' });
    }
    if (previous.status === 'open' && status.status !== 'open') {
      this.#typing.reset();
      this.#input({ type: 'dropped' });
      if (status.status === 'reconnecting') {
        this.#cancelLost = this.#ports.clock.setTimer(() => this.#showLost(true), LOST_AFTER_MS);
      }
    }
    this.store.showConnection(status);
  }

  #showLost(isLost: boolean): void {
    this.#cancelLost?.();
    this.#cancelLost = null;
    this.store.showLostConnection(isLost);
  }

  #showOutcome(before: Conversation, { outcome, link }: Conversation): void {
    if (before.outcome === outcome) return;
    const status: SessionStatus =
      outcome === 'expired'
        ? { status: 'expired' }
        : outcome
          ? { status: 'ended', by: outcome.by }
          : { status: 'active' };
    if (outcome || link.status !== 'down') this.store.showSession(status);
    if (!outcome) return;
    this.#showLost(false);
    for (const resolve of this.#endWaiters) resolve();
    this.#endWaiters.clear();
    this.#sessions.stopRenewing();
    this.#record.clear();
  }

  /** True for a conversation that is in storage, or about to be. Source: ST-3, ST-4. */
  get #isKept(): boolean {
    const { outcome, hasUserEnded } = this.#conversation;
    return this.#mayStore && !outcome && !hasUserEnded;
  }

  #store(): void {
    const { identity } = this.#sessions;
    const { outbox, lastActivityMs } = this.#conversation;
    if (!this.#isKept || !identity) return;
    const drafts = outbox.filter(({ delivery }) => delivery.status !== 'sent').map(toStoredDraft);
    this.#storedActivityMs = lastActivityMs;
    this.#record.save({ ...identity, lastActivityMs, drafts });
  }

  #trace(direction: FrameTrace['direction'], text: string): void {
    const { onFrame } = this.#options;
    if (onFrame) callSafely(onFrame, { direction, atMs: this.#ports.clock.now(), text });
  }
}
