import PQueue from 'p-queue';
import type { Clock } from '../kit/clock.ts';
import { createFairShares, createWindowLimiter } from '../kit/http/index.ts';
import { DeskError } from './desk-error.ts';
import type { Person } from './people.ts';

/**
 * Limits for signed-in people, because visitors and staff share the platform: one person, or a thief of a cookie, must
 * not slow others down. Counted for desk and console together.
 */
export interface PersonCalls {
  /** Counts a browser's call before reading anything. Throws a `DeskError` when there were too many. */
  countBrowser(signIn: string): void;
  /** Counts a person's call, and runs it when few enough of theirs are running. */
  make<T>(person: Pick<Person, 'id' | 'accountId'>, cost: number, call: () => Promise<T>): Promise<T>;
  /** Reads the initial state of a person's new stream, one stream at a time. */
  beginStream(personId: string, read: () => Promise<void>): Promise<void>;
  /** Starts a long task, of which a person may run one at a time. Returns a function that ends it. */
  beginLong(personId: string): () => void;
}

/** Default cost of a route. */
export const DEFAULT_COST = 1;
/** Cost of a call with expensive queries. */
export const HEAVY_COST = 5;

const WINDOW_MS = 10_000;
// A view makes ten calls when it opens.
const PER_BROWSER = 150;
// By cost. Some people use the desk in one browser and the console in another.
const PER_PERSON = 200;
const AT_ONCE = 4;
const HEAVY_AT_ONCE = 1;
// For all people of an account together: the database has ten connections.
const HEAVY_OF_ACCOUNT = { atOnce: 3, maxWaiting: 100 } as const;
// Each reads a list and a whole conversation.
const STREAMS_BEGUN_AT_ONCE = 1;
// Cookies can be made up; the least recently counted are evicted.
const MAX_BROWSERS = 10_000;
const LONG_RETRY_SECONDS = 10;

/** Makes the counters of one node. */
export function createPersonCalls(clock: Clock): PersonCalls {
  const browsers = createWindowLimiter({ limit: PER_BROWSER, windowMs: WINDOW_MS, maxKeys: MAX_BROWSERS });
  const people = createWindowLimiter({ limit: PER_PERSON, windowMs: WINDOW_MS });
  const queues = new Map<string, PQueue>();
  const long = new Set<string>();
  const runHeavy = createFairShares({ ...HEAVY_OF_ACCOUNT, createRefusal: () => tooManyCalls(1) });

  const count = (limiter: typeof people, key: string, cost: number): void => {
    const verdict = limiter.use(key, clock.now(), cost);
    if (!verdict.allowed) throw tooManyCalls(verdict.retryAfterSeconds);
  };
  const queueOf = (key: string, concurrency: number): PQueue => {
    const known = queues.get(key);
    if (known !== undefined) return known;
    const queue = new PQueue({ concurrency });
    queues.set(key, queue);
    queue.on('idle', () => queues.delete(key));
    return queue;
  };

  return {
    countBrowser: (signIn) => count(browsers, signIn, DEFAULT_COST),
    async make({ id, accountId }, cost, call) {
      count(people, id, cost);
      if (cost < HEAVY_COST) return await queueOf(id, AT_ONCE).add(call);
      return await queueOf(`${id} heavy`, HEAVY_AT_ONCE).add(() => runHeavy(accountId, call));
    },
    async beginStream(personId, read) {
      await queueOf(`${personId} streams`, STREAMS_BEGUN_AT_ONCE).add(read);
    },
    beginLong(personId) {
      if (long.has(personId))
        throw new DeskError(
          429,
          'ONE_AT_A_TIME',
          'This is already running for you: wait for it to finish, or stop it.',
          LONG_RETRY_SECONDS,
        );
      long.add(personId);
      return () => long.delete(personId);
    },
  };
}

function tooManyCalls(seconds: number): DeskError {
  return new DeskError(429, 'TOO_MANY', `Too many calls: try again in ${seconds} s.`, seconds);
}
