import { type Clock, sleep } from '../clock.ts';
import type { Database } from '../db/index.ts';
import { hasChat, holdChat, prolongHold, releaseChat } from './chat-store.ts';

/** What a conversation lock works with. */
export interface ConversationLockOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Name of this node. */
  readonly node: string;
  readonly onFailure: (what: string, error: unknown) => void;
}

// As long as a session's lease: a node that died lets go of its conversations after this.
const HOLD_MS = 10_000;
const RENEWAL_MS = 3_000;
// Only when two nodes are asked about one conversation at once.
const RETRY_MS = 100;

/**
 * Lets the calls of one conversation through one after the other, in order of arrival (3.4). Calls on this node queue in
 * memory; against other nodes the conversation's row is held, and what is held by a node that died is free again soon.
 */
export class ConversationLock {
  readonly #options: ConversationLockOptions;
  readonly #last = new Map<string, Promise<void>>();

  constructor(options: ConversationLockOptions) {
    this.#options = options;
  }

  /** Runs `work` when it is its turn. A conversation that does not exist is not waited for. */
  async runExclusive<T>(conversationId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(conversationId) ?? Promise.resolve();
    const mine = before.then(() => this.#hold(conversationId, work));
    const settled = mine.then(
      () => {},
      () => {},
    );
    this.#last.set(conversationId, settled);
    try {
      return await mine;
    } finally {
      if (this.#last.get(conversationId) === settled) this.#last.delete(conversationId);
    }
  }

  async #hold<T>(conversationId: string, work: () => Promise<T>): Promise<T> {
    const { database, clock, node, onFailure } = this.#options;
    while (!(await holdChat(database, conversationId, node, HOLD_MS))) {
      if (!(await hasChat(database, conversationId))) return await work();
      await sleep(clock, RETRY_MS);
    }
    let cancel = (): void => {};
    const renew = (): void => {
      cancel = clock.setTimer(() => {
        prolongHold(database, conversationId, node, HOLD_MS).catch((error: unknown) =>
          onFailure('hold a chat', error),
        );
        renew();
      }, RENEWAL_MS);
    };
    renew();
    try {
      return await work();
    } finally {
      cancel();
      await releaseChat(database, conversationId, node).catch((error: unknown) =>
        onFailure('let go of a chat', error),
      );
    }
  }
}
