import type { ChatDiagnosis } from '../chat-client.ts';
import { isOver } from '../conversation/conversation-state.ts';
import type { ConversationStore } from '../conversation/conversation-store.ts';
import type { ClockPort } from '../ports.ts';
import { hashUserId } from '../session/hash-user-id.ts';
import type { Sessions } from '../session/sessions.ts';
import type { ConversationStorage } from '../storage/conversation-storage.ts';
import { isFresh, isOpen, type StoredConversation } from '../storage/stored-conversation.ts';
import { toRestoredAction } from '../storage/to-restored-action.ts';
import type { TabCoordinator } from './tab-coordinator.ts';

export interface ChatLifecycleOptions {
  readonly clock: ClockPort;
  readonly store: ConversationStore;
  readonly storage: ConversationStorage;
  readonly sessions: Sessions;
  readonly tabs: TabCoordinator;
  /** Identifies proxy and connector, so that a user's hash differs between them. */
  readonly ownerScope: string;
  /** Restores the composer text of an earlier page of the tab if it is this visitor's. */
  readonly restoreTyped: (stored: StoredConversation | null, owner: string) => void;
  /** Releases every timer, socket and listener. */
  readonly release: () => void;
}

/** Starts, ends and leaves the conversation. */
export class ChatLifecycle {
  readonly #options: ChatLifecycleOptions;
  readonly #endWaiters: (() => void)[] = [];
  #starting: Promise<void> | null = null;
  /** The last logout. A later start waits for it, because it would end the new conversation. */
  #loggingOut: Promise<void> | undefined;
  /**
   * Hash of the last claimed user, while it is being computed. Later calls wait for it, because they would affect the
   * previous user's conversation.
   */
  #hashing: Promise<string> | undefined;
  /** The last claimed user, whether or not the conversation has started. */
  #claimed = '';

  constructor(options: ChatLifecycleOptions) {
    this.#options = options;
  }

  start(): Promise<void> {
    this.#starting ??= this.#begin().catch((error: unknown) => {
      this.#starting = null;
      throw error;
    });
    return this.#starting;
  }

  async hasStoredConversation(): Promise<boolean> {
    const { clock, storage } = this.#options;
    const stored = await storage.peek();
    return isFresh(stored, clock.now()) && isOpen(stored);
  }

  async endChat(): Promise<void> {
    await this.#endIfBegun();
    // The page may be unloaded when this resolves.
    await this.#options.storage.whenSaved();
  }

  async newChat(): Promise<void> {
    const { store, tabs } = this.#options;
    await this.#endIfBegun();
    // There may have been no conversation to end.
    if (isOver(store.conversation)) tabs.run({ type: 'session_left', isLogout: false });
    else await this.start();
  }

  logout(): Promise<void> {
    this.#starting = null;
    const own = this.#logOut().finally(() => {
      if (this.#loggingOut === own) this.#loggingOut = undefined;
    });
    this.#loggingOut = own;
    return own;
  }

  /** Sets the conversation's user; resolves with the user's hash. */
  async claim(userId: string): Promise<string> {
    const { ownerScope, tabs, sessions, storage, restoreTyped } = this.#options;
    const leaving = this.#loggingOut;
    const claims = Promise.all([hashUserId(ownerScope, userId), this.#whenClaimed()]);
    const hash = claims.then(([hashed]) => hashed);
    this.#hashing = hash;
    const owner = await hash;
    if (this.#hashing === hash) this.#hashing = undefined;
    // The end of a logout would remove this user too.
    if (leaving) await leaving;
    this.#claimed = owner;
    tabs.run({ type: 'claimed', owner });
    if (this.#starting) restoreTyped(await storage.peek(), owner);
    await sessions.credentials.whenRevoked();
    return owner;
  }

  /** Whether a conversation of `owner` (a hash or empty) belongs to the user claimed in this tab. */
  isOwn(owner: string): boolean {
    return owner === '' || owner === this.#claimed;
  }

  /** Hash of the visitor's user, once known; empty without one. */
  async owner(): Promise<string> {
    await this.#whenClaimed();
    return this.#claimed || this.#options.store.conversation.owner;
  }

  async diagnose(): Promise<ChatDiagnosis> {
    const { store, sessions } = this.#options;
    return {
      missingAgent: store.conversation.transcript.missingAgent,
      socket: await sessions.trySocket(),
    };
  }

  destroy(): void {
    this.#options.store.close();
    this.#options.release();
    this.noteEnded();
  }

  /** Resolves all pending `endChat()` calls. */
  noteEnded(): void {
    for (const resolve of this.#endWaiters.splice(0)) resolve();
  }

  async #begin(): Promise<void> {
    const { clock, store, storage, tabs, restoreTyped } = this.#options;
    // Nothing starts without the hash, because the stored conversation may be another user's.
    await this.#hashing;
    await this.#loggingOut;
    const stored = await storage.load();
    if (store.isClosed) return;
    store.dispatch(toRestoredAction(stored, clock.now()));
    restoreTyped(stored, this.#claimed || store.conversation.owner);
    if (!tabs.join()) tabs.run({ type: 'reconnect' });
  }

  /** Ends the conversation, including one of an earlier page that has not started here. */
  async #endIfBegun(): Promise<void> {
    const { storage } = this.#options;
    if (this.#hashing) await this.#whenClaimed();
    if (!this.#starting && !storage.restored) await storage.load();
    // Otherwise there is nothing to end.
    if (this.#starting || storage.isUsed()) await this.#end();
  }

  #end(): Promise<void> {
    const { store, tabs } = this.#options;
    if (store.isClosed || store.conversation.outcome) return Promise.resolve();
    const ended = new Promise<void>((resolve) => this.#endWaiters.push(resolve));
    tabs.run({ type: 'user_ended' });
    tabs.join();
    return ended;
  }

  async #logOut(): Promise<void> {
    const { storage, tabs, sessions } = this.#options;
    if (this.#hashing) await this.#whenClaimed();
    // Drops a failed claim, because its user is logging out.
    this.#hashing = undefined;
    this.#claimed = '';
    // An earlier page's conversation is logged out as well, whether or not it was started here.
    if (!storage.restored) await storage.load();
    await this.#end();
    tabs.run({ type: 'session_left', isLogout: true });
    await sessions.credentials.whenRevoked();
    await storage.whenSaved();
  }

  /** Resolves when the last claim has completed or failed. */
  async #whenClaimed(): Promise<void> {
    await this.#hashing?.catch(() => '');
  }
}
