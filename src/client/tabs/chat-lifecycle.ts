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
  /** Names the proxy and the connector; the hash of a user is another one elsewhere. */
  readonly ownerScope: string;
  /** Puts the words of an earlier page of the tab into the composer, as far as they are this visitor's. */
  readonly restoreTyped: (stored: StoredConversation | null, owner: string) => void;
  /** Releases every timer, socket and listener. */
  readonly release: () => void;
}

/** Starts, ends and leaves the conversation. */
export class ChatLifecycle {
  readonly #options: ChatLifecycleOptions;
  readonly #endWaiters: (() => void)[] = [];
  #starting: Promise<void> | null = null;
  /** The last logout. A later start waits for it, because the logout would end the new conversation. */
  #loggingOut: Promise<void> | undefined;
  /**
   * Hash of the user that `claim` was given last, until it is known. Later calls wait for it, because they would act on the
   * conversation of the previous user.
   */
  #hashing: Promise<string> | undefined;
  /** The user that was claimed last, whether the conversation has begun or not. */
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
    // The page may go when this resolves.
    await this.#options.storage.whenSaved();
  }

  async newChat(): Promise<void> {
    const { store, tabs } = this.#options;
    await this.#endIfBegun();
    // There may have been nothing to end.
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

  /** Names the user of the conversation; resolves with the hash that stands for them. */
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

  /** Whether a conversation of `owner`, a hash or empty, is that of the user who was claimed in this tab. */
  isOwn(owner: string): boolean {
    return owner === '' || owner === this.#claimed;
  }

  /** Hash of the visitor's user, as soon as it is known; empty without one. */
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

  /** Resolves every `endChat()` that waits. */
  noteEnded(): void {
    for (const resolve of this.#endWaiters.splice(0)) resolve();
  }

  async #begin(): Promise<void> {
    const { clock, store, storage, tabs, restoreTyped } = this.#options;
    // Without the hash nothing begins: the stored conversation may be another user's.
    await this.#hashing;
    await this.#loggingOut;
    const stored = await storage.load();
    if (store.isClosed) return;
    store.dispatch(toRestoredAction(stored, clock.now()));
    restoreTyped(stored, this.#claimed || store.conversation.owner);
    if (!tabs.join()) tabs.run({ type: 'reconnect' });
  }

  /** Ends the conversation, also one of an earlier page that has not begun here. */
  async #endIfBegun(): Promise<void> {
    const { storage } = this.#options;
    if (this.#hashing) await this.#whenClaimed();
    if (!this.#starting && !storage.restored) await storage.load();
    // Else nothing has begun that could end.
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
    // Forgets a claim that failed: its user logs out now.
    this.#hashing = undefined;
    this.#claimed = '';
    // The conversation of an earlier page is logged out as well, started or not.
    if (!storage.restored) await storage.load();
    await this.#end();
    tabs.run({ type: 'session_left', isLogout: true });
    await sessions.credentials.whenRevoked();
    await storage.whenSaved();
  }

  /** Resolves when the last claim has been carried out, or has failed. */
  async #whenClaimed(): Promise<void> {
    await this.#hashing?.catch(() => '');
  }
}
