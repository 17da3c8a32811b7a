import { createHash } from 'node:crypto';
import { BatchLoader, type Database, type RateLimit, useRateLimits } from '../../db/index.ts';
import type { Clock } from '../clock.ts';
import { createWindowLimiter, type LimitVerdict } from './window-limiter.ts';

/** Limits the uses of a key in any window of a given length. */
export interface Limiter {
  use(key: string): Promise<LimitVerdict>;
  /** Keys held in memory, for tests and metrics. */
  readonly size: number;
}

/** Creates a limiter. Limiters with the same name share counters. */
export type CreateLimiter = (name: string, limit: RateLimit & { readonly maxKeys?: number }) => Limiter;

/** Limiters that count in this process's memory. */
export function limitersInMemory(clock: Clock): CreateLimiter {
  return (_name, limit) => {
    const own = createWindowLimiter(limit);
    return {
      use: async (key) => own.use(key, clock.now()),
      get size() {
        return own.size;
      },
    };
  };
}

/** Dependencies of limiters shared by all nodes. */
export interface SharedLimitersOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly onFailure: (what: string, error: unknown) => void;
}

const ALLOWED: LimitVerdict = { allowed: true };
// Keys per statement.
const KEYS_AT_ONCE = 200;
// Refused keys kept in memory.
const MAX_REFUSALS = 10_000;

/**
 * Limiters shared by all nodes on one PostgreSQL database; in memory if the database belongs to this process.
 * Concurrent uses share a statement, and a key known to exceed its limit costs no query, so that a flood costs each
 * node no more database uses than the limit allows. While the database is unavailable, each node counts separately.
 */
export function limitersOfAllNodes({ database, clock, onFailure }: SharedLimitersOptions): CreateLimiter {
  const inMemory = limitersInMemory(clock);
  if (database.engine === 'pglite') return inMemory;
  return (name, limit) => {
    const own = inMemory(name, limit);
    const refusals = new Refusals(clock);
    const shared = new BatchLoader<string, LimitVerdict>({
      maxKeys: KEYS_AT_ONCE,
      read: (rows) => readVerdicts(database, rows, limit),
    });
    return {
      async use(key) {
        const known = refusals.find(key) ?? (await own.use(key));
        if (!known.allowed) return known;
        try {
          const verdict = await shared.get(rowOf(name, key));
          if (!verdict.allowed) refusals.note(key, verdict.retryAfterSeconds);
          return verdict;
        } catch (error) {
          onFailure('count requests in the database', error);
          return ALLOWED;
        }
      },
      get size() {
        return own.size;
      },
    };
  };
}

function rowOf(name: string, key: string): string {
  return `${name} ${createHash('sha256').update(key).digest('base64url')}`;
}

/** Keys that have reached their limit, and until when. */
class Refusals {
  readonly #clock: Clock;
  readonly #untilMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  find(key: string): LimitVerdict | null {
    const leftMs = (this.#untilMs.get(key) ?? 0) - this.#clock.now();
    return leftMs > 0 ? { allowed: false, retryAfterSeconds: Math.ceil(leftMs / 1000) } : null;
  }

  note(key: string, seconds: number): void {
    const nowMs = this.#clock.now();
    for (const [old, endsAtMs] of this.#untilMs) {
      if (endsAtMs > nowMs && this.#untilMs.size < MAX_REFUSALS) break;
      this.#untilMs.delete(old);
    }
    this.#untilMs.set(key, nowMs + seconds * 1000);
  }
}

async function readVerdicts(
  database: Database,
  rows: readonly string[],
  limit: RateLimit,
): Promise<readonly LimitVerdict[]> {
  const wanted = new Map<string, number>();
  for (const row of rows) wanted.set(row, (wanted.get(row) ?? 0) + 1);
  const found = await useRateLimits(database, wanted, limit);
  const used = new Map<string, number>();
  return rows.map((row): LimitVerdict => {
    const { granted, waitMs } = found.get(row) ?? { granted: 0, waitMs: limit.windowMs };
    const before = used.get(row) ?? 0;
    used.set(row, before + 1);
    if (before < granted) return ALLOWED;
    return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
  });
}
