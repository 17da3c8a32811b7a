import type { Database } from '../../db/index.ts';
import { type Clock, sleep } from '../../kit/clock.ts';
import { createFairShares } from '../../kit/http/index.ts';
import { REST_ERRORS } from '../rest/index.ts';
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
// Each call that waits keeps its request in memory; a caller that is not served within this many has gone wrong.
const MAX_WAITING = 8;
// Only when two nodes are asked about one conversation at once.
const RETRY_MS = 100;

/**
 * Lets the calls of one conversation through one after the other, in order of arrival (3.4). Calls on this node queue in
 * memory; against other nodes the conversation's row is held, and a lock of a crashed node is released soon.
 */
export class ConversationLock {
  readonly #options: ConversationLockOptions;
  readonly #runInTurn = createFairShares({
    atOnce: 1,
    maxWaiting: MAX_WAITING,
    createRefusal: () => REST_ERRORS.rateLimited(1),
  });

  constructor(options: ConversationLockOptions) {
    this.#options = options;
  }

  /**
   * Runs `work` when it is its turn. A conversation that does not exist is not waited for. Fails with 429 when eight
   * calls wait already.
   */
  async runExclusive<T>(conversationId: string, work: () => Promise<T>): Promise<T> {
    return await this.#runInTurn(conversationId, () => this.#hold(conversationId, work));
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
