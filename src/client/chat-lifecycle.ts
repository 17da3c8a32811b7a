import type { ChatClient, CurrentSession } from './chat-client.ts';
import { isOver } from './conversation/conversation-state.ts';
import type { ConversationStore } from './conversation/conversation-store.ts';
import type { ClockPort } from './ports.ts';
import type { Sessions } from './session/sessions.ts';
import type { ConversationStorage } from './storage/conversation-storage.ts';
import { isFresh, isOpen } from './storage/stored-conversation.ts';
import { toRestoredAction } from './storage/to-restored-action.ts';
import type { TabCoordinator } from './tabs/tab-coordinator.ts';

export interface ChatLifecycleOptions {
  readonly clock: ClockPort;
  readonly store: ConversationStore;
  readonly storage: ConversationStorage;
  readonly sessions: Sessions;
  readonly tabs: TabCoordinator;
  readonly currentSession: () => CurrentSession;
  readonly hashOwner: (userId: string) => Promise<string>;
  /** Releases every timer, socket and listener. */
  readonly release: () => void;
}

/** Starts, ends and leaves the conversation. */
export interface ChatLifecycle {
  readonly methods: Pick<
    ChatClient,
    | 'start'
    | 'hasStoredConversation'
    | 'endChat'
    | 'newChat'
    | 'logout'
    | 'currentSession'
    | 'claim'
    | 'diagnose'
    | 'destroy'
  >;
  /** Resolves every `endChat()` that waits. */
  noteEnded(): void;
}

export function createChatLifecycle(options: ChatLifecycleOptions): ChatLifecycle {
  const { clock, store, storage, sessions, tabs, currentSession } = options;
  const endWaiters: (() => void)[] = [];
  let starting: Promise<void> | null = null;
  /** The last logout. A later start waits for it, because the logout would end the new conversation. */
  let loggingOut: Promise<void> | undefined;
  /**
   * Hash of the user that `claim` was given last, until it is known. Later calls wait for it, because
   * they would act on the conversation of the previous user.
   */
  let hashing: Promise<string> | undefined;

  function noteEnded(): void {
    for (const resolve of endWaiters.splice(0)) resolve();
  }

  async function start(): Promise<void> {
    // Without the hash nothing begins: the stored conversation may be another user's.
    await hashing;
    await loggingOut;
    const stored = await storage.load();
    if (store.isClosed) return;
    store.dispatch(toRestoredAction(stored, clock.now()));
    if (!tabs.join()) tabs.notify({ type: 'reconnect' });
  }

  function end(): Promise<void> {
    if (store.isClosed || store.conversation.outcome) return Promise.resolve();
    const ended = new Promise<void>((resolve) => endWaiters.push(resolve));
    tabs.dispatch({ type: 'user_ended' });
    tabs.join();
    return ended;
  }

  /** Resolves when the last claim has been carried out, or has failed. */
  async function whenClaimed(): Promise<void> {
    await hashing?.catch(() => '');
  }

  async function endChat(): Promise<void> {
    if (hashing) await whenClaimed();
    if (!starting && !storage.restored) await storage.load();
    // Else nothing has begun that could end.
    if (starting || storage.isUsed()) await end();
  }

  async function logOut(): Promise<void> {
    if (hashing) await whenClaimed();
    // Forgets a claim that failed: its user logs out now.
    hashing = undefined;
    // The conversation of an earlier page is logged out as well, started or not.
    if (!storage.restored) await storage.load();
    await end();
    tabs.dispatch({ type: 'session_left', isLogout: true });
    await sessions.whenRevoked();
  }

  const methods: ChatLifecycle['methods'] = {
    start() {
      starting ??= start().catch((error: unknown) => {
        starting = null;
        throw error;
      });
      return starting;
    },
    async hasStoredConversation() {
      const stored = await storage.peek();
      return isFresh(stored, clock.now()) && isOpen(stored);
    },
    endChat,
    async newChat() {
      await endChat();
      // There may have been nothing to end.
      if (isOver(store.conversation)) tabs.dispatch({ type: 'session_left', isLogout: false });
      else await methods.start();
    },
    currentSession,
    async claim(userId) {
      const leaving = loggingOut;
      const claims = Promise.all([options.hashOwner(userId), whenClaimed()]);
      const hash = claims.then(([hashed]) => hashed);
      hashing = hash;
      const owner = await hash;
      if (hashing === hash) hashing = undefined;
      // The end of a logout would remove this user too.
      if (leaving) await leaving;
      tabs.dispatch({ type: 'claimed', owner });
      await sessions.whenRevoked();
      return owner;
    },
    diagnose: async () => ({
      missingAgent: store.conversation.transcript.missingAgent,
      socket: await sessions.trySocket(),
    }),
    logout() {
      starting = null;
      const own = logOut().finally(() => {
        if (loggingOut === own) loggingOut = undefined;
      });
      loggingOut = own;
      return own;
    },
    destroy() {
      store.close();
      options.release();
      noteEnded();
    },
  };

  return { methods, noteEnded };
}
