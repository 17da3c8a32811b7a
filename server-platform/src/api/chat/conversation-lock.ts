import type { Database } from '../../db/index.ts';
import { type Clock, sleep } from '../../kit/clock.ts';
import { createFairShares } from '../../kit/http/index.ts';
import { REST_ERRORS } from '../rest/index.ts';
import { hasChat, holdChat, prolongHold, releaseChat } from './chat-store.ts';

/** Options of a conversation lock. */
export interface ConversationLockOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Name of this node. */
  readonly node: string;
  readonly onFailure: (what: string, error: unknown) => void;
}

// As long as a session's lease: the locks of a dead node expire after this.
const HOLD_MS = 10_000;
const RENEWAL_MS = 3_000;
// Each waiting call keeps its request in memory; a caller with this many waiting calls is faulty.
const MAX_WAITING = 8;
// Only when two nodes receive calls for one conversation at the same time.
const RETRY_MS = 100;

/**
 * Serialises the calls of one conversation in order of arrival (3.4). Calls on this node queue in memory; across nodes
 * the conversation's row is held, and a crashed node's hold soon expires.
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
   * Runs `work` when it is its turn. Does not wait for a conversation that does not exist. Fails with 429 when eight
   * calls are already waiting.
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
          onFailure('lock a chat', error),
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
        onFailure('unlock a chat', error),
      );
    }
  }
}
