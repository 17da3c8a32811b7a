import { type ClientEvent, type CustomMap, LIMITS } from '../protocol/index.ts';
import type { CurrentSession } from './chat-client.ts';
import { createLink } from './connection/create-link.ts';
import {
  type Conversation,
  type ConversationInput,
  isOver,
  NEW_CONVERSATION,
  NEW_SESSION,
} from './conversation/conversation-state.ts';
import { needsAgent } from './conversation/recovery.ts';
import { conversationDeadlineMs, reduceConversation } from './conversation/transition.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { type Draft, isUnconfirmed, type Outbox } from './outbox/outbox-state.ts';
import { carryOver } from './outbox/transition.ts';
import { prepareJoin } from './prepare-join.ts';
import { createSessions, isFresh } from './session/create-sessions.ts';
import { hashUserId } from './session/hash-user-id.ts';
import type { SharedConversation, SharedConversationOptions } from './shared-conversation.ts';
import { createRecord } from './storage/create-record.ts';
import { storageKey } from './storage/storage-key.ts';
import {
  fromStoredDraft,
  NO_SESSION,
  type StoredConversation,
  toStoredDraft,
  unpackPast,
} from './storage/stored-conversation.ts';
import { createChatStore } from './store/create-chat-store.ts';
import { createTabs } from './tabs/create-tabs.ts';
import { createUnheard } from './tabs/create-unheard.ts';
import type { Ask, Mirrored, MirroredStep } from './tabs/mirrored.ts';
import { createTimer } from './timer.ts';
import { EMPTY_TRANSCRIPT } from './transcript/transcript-state.ts';

/** Tabs that were loaded before and after a release share a conversation only if they mirror the same properties. */
const MIRROR_VERSION = `7${Object.keys({ ...NEW_CONVERSATION, ...EMPTY_TRANSCRIPT })}`;

/** Activity matters to the minute; a write for every chunk of a stream would be waste. */
const STORE_ACTIVITY_EVERY_MS = 10_000;

/** A tab that hung hears this soon after its waking that another one has the socket. */
const UNTOLD_MS = 2_000;

/** A long history comes in many frames; what it has brought so far is shown this often until all is there. */
const SHOW_HISTORY_EVERY_MS = 1_000;

export function createSharedConversation(options: SharedConversationOptions): SharedConversation {
  const { chat, endpoint, ports } = options;
  const { connector = 'default', idleTimeoutMs = LIMITS.inactivityMs } = chat;
  const { clock } = ports;
  const key = storageKey(endpoint, connector);
  const record = createRecord(ports.storage, key);
  const store = createChatStore();
  const tickTimer = createTimer(clock);
  /** What the page has to say before the agent of this session is asked in; undefined before it was asked. */
  let preparing: Promise<CustomMap | undefined> | undefined;
  const endWaiters: (() => void)[] = [];
  const sessions = createSessions({
    chat,
    endpoint,
    ports,
    record,
    left: () => left,
    current: () => conversation,
    version: MIRROR_VERSION,
    onTurn: share,
    onSession: beginSession,
  });
  let conversation: Conversation = {
    ...NEW_CONVERSATION,
    vocabulary: sessions.vocabulary(),
    lastActivityMs: clock.now(),
  };
  let storedActivityMs = 0;
  let leftUnread = chat.unread ?? 0;
  let shownAtMs = 0;
  /** `visitors` of the conversation that was shown last. */
  let shownVisitors = 0;
  /** What an earlier page or another tab left, until there is a session for it. */
  let left: StoredConversation | null = null;
  const unheard = createUnheard();
  let starting: Promise<void> | null = null;
  /** The last logout. Whatever begins after it begins when it is over, or it would be ended by it. */
  let leaving: Promise<void> | undefined;
  let revoking: Promise<void> | null = null;
  let isDestroyed = false;

  /** One at a time: what a subscriber does in answer to a change comes after the change is complete. */
  const take = oneAtATime(({ input: next, nowMs }: MirroredStep): void => {
    if (isDestroyed) return;
    const before = conversation;
    const step = reduceConversation(before, next, nowMs);
    tabs.postStep({ input: next, nowMs });
    conversation = step.conversation;
    for (const id of step.ignored) link.trace('local', `left out: ${id}`);
    for (const command of tabs.isLeading ? step.commands : []) {
      // A socket that closed this instant takes nothing; the draft is pending and the next replay decides.
      if (!('payload' in command)) link.dispatch(command);
      else if (command.type === 'EVENT_TYPE_REQUEST_AGENT_JOIN') void join(command);
      else link.write(command);
    }
    const isHistory = next.type === 'frame' && !conversation.isLive;
    if (!isHistory || nowMs - shownAtMs >= SHOW_HISTORY_EVERY_MS) showConversation();
    if (before.outcome !== conversation.outcome) showOutcome();
    const isNewsForStorage = conversation.lastActivityMs - storedActivityMs >= STORE_ACTIVITY_EVERY_MS;
    if (before.outbox !== conversation.outbox || isNewsForStorage) save();
    setTick();
  });

  const link = createLink({
    ports,
    sessions,
    onFrame: chat.onFrame,
    current: () => conversation,
    isInUse: () => tabs.isLeading,
    input,
    onCheck: check,
  });
  const tabs = createTabs<Mirrored, MirroredStep, Ask>({
    ports,
    name: `${key}:${MIRROR_VERSION}`,
    onLead: lead,
    onDeposed() {
      left = toMirrored().stored;
      // Whoever leads now may have done so when this was written here, and does not know of it. Where asking again could
      // say it twice, it goes back to where it was written.
      const untold = conversation.outbox.filter(
        (draft) => isUnconfirmed(draft) && clock.now() - draft.createdAtMs < UNTOLD_MS,
      );
      if (conversation.vocabulary === 'neutral' && !sessions.isTurnBased()) {
        for (const draft of untold) unheard.add({ ...draft, type: 'written' });
      } else if (untold.length > 0) {
        const texts = [...untold.map(({ text }) => text), store.state.unsent.peek()];
        store.setUnsent(texts.filter(Boolean).join('\n'));
      }
      link.dispatch({ type: 'disconnect', isImmediate: true });
      sessions.forget();
    },
    state: toMirrored,
    adopt,
    mirror: take,
    carryOut,
  });

  /** Asks the agent in, once the page has said what it has to say. Source: JOIN-2. */
  async function join(event: ClientEvent): Promise<void> {
    const { links, transcript } = conversation;
    if (!transcript.hasAgentJoined) preparing ??= prepareJoin(chat, currentSession(), clock);
    const custom = (await preparing) ?? null;
    // A socket that has come meanwhile asks for itself.
    if (conversation.links === links && needsAgent(conversation) && !isOver(conversation))
      link.write({ ...event, custom });
  }

  function currentSession(): CurrentSession {
    return {
      sessionId: conversation.sessionId,
      contextId: conversation.transcript.contextId,
      owner: conversation.owner,
      submit: (token, signal) => sessions.submitContext(ticket(), token, signal),
    };
  }

  function connect(): void {
    if (!conversation.outcome) link.dispatch({ type: 'connect' });
  }

  function input(next: ConversationInput): void {
    take({ input: next, nowMs: clock.now() });
  }

  /** What the visitor does here: shown at once, whichever tab carries it out. */
  function ask(next: ConversationInput): void {
    if (tabs.isLeading) {
      carryOut(next);
      return;
    }
    if (isDestroyed) return;
    unheard.add(next);
    askUnheard();
    showConversation();
  }

  /** All of it, in order: what was asked before may not have been heard, and must not come after this. */
  function askUnheard(): void {
    for (const next of unheard.list()) tabs.ask(next);
  }

  function carryOut(next: Ask): void {
    switch (next.type) {
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
      case 'log_out':
        link.dispatch({ type: 'disconnect', isImmediate: true });
        sessions.forget();
        record.save(null);
        left = null;
        conversation = {
          ...conversation,
          links: 0,
          ...(next.type === 'log_out' && {
            outbox: [],
            owner: '',
            visitors: conversation.visitors + 1,
          }),
        };
        replaceConversation(conversation.outbox.filter(isUnconfirmed), false);
        if (next.type === 'new_chat') connect();
        return;
      case 'claimed':
        if (conversation.owner && conversation.owner !== next.owner) {
          // Nothing of somebody else's conversation is theirs.
          input({ type: 'user_ended' });
          if (!conversation.outcome) revoke();
          carryOut({ type: 'log_out' });
          connect();
        }
        input(next);
        save();
        return;
      default:
        input(next);
    }
  }

  /** This tab has the socket now: what it mirrored is at hand, and the cursor brings the rest. */
  function lead(): void {
    // What was asked of the tab before may have been sent by it: for turns that cannot be sent twice.
    if (conversation.sessionId) left = toStored(unheard.applyTo(conversation, clock.now()));
    const { status } = conversation.connection;
    input({ type: 'connection', connection: { status: status === 'closed' ? status : 'idle' } });
    askUnheard();
    if (status !== 'closed') connect();
  }

  /** For the tabs of this page's origin: before the first message there is no cookie yet, and nothing in the storage. */
  const ticket = (): string => sessions.ticket() || toStored().resumeTicket;

  function toMirrored(): Mirrored {
    const stored = toStored();
    return {
      conversation,
      stored: { ...stored, resumeTicket: ticket() },
    };
  }

  function adopt(mirrored: Mirrored): void {
    // Words that were written before this tab knew the conversation are those of its visitor.
    if (!conversation.sessionId) shownVisitors = mirrored.conversation.visitors;
    ({ stored: left, conversation } = mirrored);
    showConversation();
    askUnheard();
    if (conversation.outcome) releaseWaiters();
    setTick();
  }

  function showConversation(): void {
    shownAtMs = clock.now();
    const shown = unheard.applyTo(conversation, shownAtMs);
    if (shown.visitors !== shownVisitors) store.setUnsent('');
    shownVisitors = shown.visitors;
    store.showConversation(shown);
  }

  function replaceConversation(outbox: Outbox, isResumed: boolean): void {
    if (!isResumed) preparing = undefined;
    conversation = {
      ...conversation,
      ...NEW_SESSION,
      sessionId: sessions.identity()?.sessionId ?? '',
      outbox,
      // Only the first session can be that of an earlier page.
      ...(isResumed && { transcript: { ...EMPTY_TRANSCRIPT, unread: leftUnread } }),
      isResumed,
      vocabulary: sessions.vocabulary(),
      lastActivityMs: clock.now(),
    };
    leftUnread = 0;
    showConversation();
    save();
    tabs.postState();
  }

  /** A pair is in hand. For a resumed session the log says what was said; only drafts come from storage. */
  function beginSession(resumed: StoredConversation | null): void {
    const { outbox, sessionId } = conversation;
    const early = left?.drafts.map(({ localId }) => localId) ?? [];
    // Words that waited for their first session go into this one, unless that was long ago.
    const isAwaited = isFresh(left, clock.now()) && left.resumeTicket === '';
    const isSame = sessionId !== '' && resumed?.sessionId === sessionId;
    left = null;
    // Mirrored until now, and still at hand.
    if (isSame) {
      save();
      return;
    }
    if (resumed) {
      replaceConversation(outbox, true);
    } else {
      // Other drafts of an earlier page, and what an earlier chat ended before, are shown in a new session, but not sent
      // into it unasked.
      const isUnasked = ({ localId, delivery }: Draft): boolean =>
        delivery.status === 'failed'
          ? delivery.reason === 'chat_ended'
          : early.includes(localId) && !(isAwaited && delivery.status === 'queued');
      replaceConversation(carryOver(outbox, isUnasked), false);
    }
  }

  function setTick(): void {
    const nowMs = clock.now();
    if (renewalDueAtMs() <= nowMs) void renewTicket();
    const tickAtMs = Math.min(conversationDeadlineMs(conversation, nowMs), renewalDueAtMs());
    if (tickAtMs < Infinity) tickTimer.set(Math.max(0, tickAtMs - nowMs), () => tabs.ask({ type: 'tick' }));
    else tickTimer.clear();
  }

  /** The visitor has written something, or an earlier page has kept it. Of no other conversation anything is stored. */
  const isUsed = (): boolean => left !== null || conversation.isResumed || conversation.outbox.length > 0;

  /** True for a conversation that a reload would come back to. Source: ST-3, ST-4. */
  const isKept = (): boolean => isUsed() && tabs.isLeading && !isOver(conversation);

  function renewalDueAtMs(): number {
    const { liveAtMs, lastActivityMs } = conversation;
    return isKept() ? sessions.ticketDueAtMs(liveAtMs < Infinity, lastActivityMs) : Infinity;
  }

  async function renewTicket(): Promise<void> {
    await sessions.renewTicket();
    if (!isDestroyed) share();
  }

  /** What the session has come to is for reloads and for other tabs. */
  function share(): void {
    save();
    tabs.postState();
    setTick();
  }

  function toStored({ outbox, lastActivityMs, owner } = conversation): StoredConversation {
    const drafts = outbox.filter(isUnconfirmed).map(toStoredDraft);
    // Until a session is there, the visitor's words are kept under the one they may still get back, or under none.
    return { ...NO_SESSION, ...left, ...sessions.identity(), lastActivityMs, drafts, owner };
  }

  function save(): void {
    // A pair that another tab had is on its way: its ticket is not for the storage.
    if (!tabs.isLeading || (conversation.sessionId && !sessions.identity())) return;
    // What is stored may be that of a page of another release, as long as nothing was stored here.
    if (!isUsed() && storedActivityMs === 0) return;
    storedActivityMs = conversation.lastActivityMs;
    record.save(isKept() ? toStored() : null);
  }

  /** Source: ST-2. */
  function check(): void {
    // The page is looked at: the leader may be in one that is not, and have slept.
    if (!tabs.isLeading) tabs.ask({ type: 'woke' });
    const idleMs = clock.now() - conversation.lastActivityMs;
    const isRunning = conversation.links > 0 && !conversation.outcome;
    if (isRunning && idleTimeoutMs > 0 && idleMs > idleTimeoutMs) tabs.ask({ type: 'expired' });
  }

  function showOutcome(): void {
    if (!conversation.outcome) return;
    releaseWaiters();
    sessions.stop();
    if (!tabs.isLeading) return;
    revoke();
    save();
  }

  function revoke(): void {
    const given = ticket();
    // Nothing of a conversation that was never used is kept anywhere.
    if (isUsed() && given) revoking = sessions.revoke(given);
  }

  function releaseWaiters(): void {
    for (const resolve of endWaiters.splice(0)) resolve();
  }

  async function start(): Promise<void> {
    await leaving;
    left = await record.load();
    if (isDestroyed) return;
    const isCurrent = isFresh(left, clock.now());
    // What an earlier page could not deliver is shown at once: it may be long until there is a connection.
    const kept = left?.drafts.map((draft) => fromStoredDraft(draft, isCurrent)) ?? [];
    const { outbox } = conversation;
    if (isCurrent && left?.turns?.version === MIRROR_VERSION) conversation = unpackPast(left.turns.past);
    // One that was named after a logout, before this start, is not stored yet.
    const owner = conversation.owner || (left?.owner ?? '');
    conversation = {
      ...conversation,
      owner,
      outbox: [...kept, ...outbox],
      lastActivityMs: left?.lastActivityMs ?? clock.now(),
      isResumed: isCurrent && left?.resumeTicket !== '',
    };
    input({ type: 'tick' });
    if (!tabs.join()) tabs.ask({ type: 'reconnect' });
  }

  function end(): Promise<void> {
    if (isDestroyed || conversation.outcome) return Promise.resolve();
    const ended = new Promise<void>((resolve) => endWaiters.push(resolve));
    ask({ type: 'user_ended' });
    tabs.join();
    return ended;
  }

  async function leave(): Promise<void> {
    // What an earlier page left is logged out as well, started or not.
    left ??= await record.load();
    await end();
    tabs.ask({ type: 'log_out' });
    await revoking;
  }

  return {
    store,
    isOver: () => isDestroyed || isOver(conversation),
    ask,
    order: tabs.ask,
    whole: {
      start() {
        starting ??= start();
        return starting;
      },
      hasStoredConversation: async () => isFresh(await record.load(), clock.now()),
      async endChat() {
        if (!starting) left ??= await record.load();
        // Else nothing has begun that could end.
        if (starting || isUsed()) await end();
      },
      currentSession,
      async claim(userId) {
        const owner = hashUserId(`${endpoint}\n${connector}`, userId);
        // The end of a logout would forget this user too.
        if (leaving) await leaving;
        ask({ type: 'claimed', owner });
        await revoking;
        return owner;
      },
      diagnose: async () => ({
        missingAgent: conversation.transcript.missingAgent,
        socket: await sessions.trySocket(),
      }),
      logout() {
        starting = null;
        const own = leave().finally(() => {
          if (leaving === own) leaving = undefined;
        });
        leaving = own;
        return own;
      },
      destroy() {
        isDestroyed = true;
        tickTimer.clear();
        tabs.destroy();
        link.destroy();
        sessions.forget();
        releaseWaiters();
      },
    },
  };
}
