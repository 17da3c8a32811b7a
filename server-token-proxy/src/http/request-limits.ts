import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import { isRecord } from '../kit/is-record.ts';
import type { Log } from '../kit/log.ts';
import { ProxyFailure } from '../proxy-failure.ts';

/** Requests per minute, by kind; 0 disables a limit. */
export interface RequestLimits {
  /** Sessions started by one client address. Default 10. */
  readonly sessionsPerClient: number;
  /** Tickets resumed or renewed, sessions probed and logged out by one client address. Default 60. */
  readonly resumesPerClient: number;
  /** Turns of a chat without a socket by one client address. Default 30. */
  readonly turnsPerClient: number;
  /** Files sent by one client address, and for one session from any address. Default 20. */
  readonly uploadsPerClient: number;
  /** Searches of help articles by one client address. Default 60. */
  readonly searchesPerClient: number;
  /** Sessions started by all clients together. Default 600. */
  readonly sessionsTotal: number;
  /** Tickets resumed or renewed by all clients together. Default 6000. */
  readonly resumesTotal: number;
  /** Turns of a chat without a socket by all clients together. Default 3000. */
  readonly turnsTotal: number;
  /** Files sent by all clients together. Default 600. */
  readonly uploadsTotal: number;
  /** Searches of help articles by all clients together. Default 3000. */
  readonly searchesTotal: number;
}

/** Defaults of `limits`. */
export const DEFAULT_LIMITS: RequestLimits = {
  sessionsPerClient: 10,
  resumesPerClient: 60,
  turnsPerClient: 30,
  uploadsPerClient: 20,
  searchesPerClient: 60,
  sessionsTotal: 600,
  resumesTotal: 6_000,
  turnsTotal: 3_000,
  uploadsTotal: 600,
  searchesTotal: 3_000,
};

/** One limit of a limiter. `name` separates the counters within one store. */
export interface LimitRule {
  readonly name: keyof RequestLimits;
  readonly points: number;
  readonly seconds: number;
}

/** Counts one request for `key`: returns 0 if it is allowed, otherwise the milliseconds until the next one is. */
export interface Limiter {
  take(key: string): Promise<number>;
}

const WINDOW_SECONDS = 60;
// The key of the counters for all clients together.
const EVERYBODY = 'all';
/** Clients without a known address share one counter, because leaving them unlimited would be easy to overlook. */
export const UNKNOWN_CLIENT = 'unknown';

/** Counters in this process's memory. Replicas need a shared store: see `createLimiter` in the README. */
function createMemoryLimiter(rule: LimitRule): Limiter {
  const memory = new RateLimiterMemory({ points: rule.points, duration: rule.seconds });
  return {
    take: (key) =>
      memory.consume(key).then(
        () => 0,
        (rejection: unknown) => {
          const waitMs = isRecord(rejection) ? rejection['msBeforeNext'] : undefined;
          if (typeof waitMs !== 'number') throw rejection;
          return Math.max(waitMs, 1);
        },
      ),
  };
}

/** The kinds of separate counters. */
export type LimitedKind = 'session' | 'resume' | 'turn' | 'upload' | 'search';

/** Applies the limits of the API routes. */
export interface RequestLimiter {
  /** Counts one request. Throws `RATE_LIMITED` when the client, or all clients together, exceed the limit. */
  admit(kind: LimitedKind, clientKey: string | null): Promise<void>;
  /** Counts one file for a session. Throws `RATE_LIMITED` when there were too many. */
  admitFileOf(sessionId: string): Promise<void>;
}

/**
 * Creates the limits. A failing shared store must neither stop the chat nor disable the limits, so memory counters
 * replace it while it fails, and every failure is logged.
 */
export function createRequestLimiter(
  limits: RequestLimits,
  createLimiter: ((rule: LimitRule) => Limiter) | undefined,
  log: Log,
): RequestLimiter {
  const build = (name: keyof RequestLimits): Limiter | null => {
    const points = limits[name];
    if (points === 0) return null;
    const rule: LimitRule = { name, points, seconds: WINDOW_SECONDS };
    const memory = createMemoryLimiter(rule);
    if (createLimiter === undefined) return memory;
    const shared = createLimiter(rule);
    return {
      take: async (key) => {
        try {
          return await shared.take(key);
        } catch {
          log.error({ limit: name }, 'rate limiter failed, counting in memory instead');
          return memory.take(key);
        }
      },
    };
  };
  const perClient = {
    session: build('sessionsPerClient'),
    resume: build('resumesPerClient'),
    turn: build('turnsPerClient'),
    upload: build('uploadsPerClient'),
    search: build('searchesPerClient'),
  };
  const total = {
    session: build('sessionsTotal'),
    resume: build('resumesTotal'),
    turn: build('turnsTotal'),
    upload: build('uploadsTotal'),
    search: build('searchesTotal'),
  };
  let hasWarned = false;

  return {
    async admit(kind, clientKey) {
      if (clientKey === null && perClient[kind] !== null && !hasWarned) {
        hasWarned = true;
        log.warn({}, 'client addresses unknown: all clients share one rate limit');
      }
      // The client first, because a client above its own limit must not use up the common one.
      const waitMs =
        (await perClient[kind]?.take(clientKey ?? UNKNOWN_CLIENT)) ||
        (await total[kind]?.take(EVERYBODY)) ||
        0;
      if (waitMs > 0) throw tooMany(waitMs);
    },
    async admitFileOf(sessionId) {
      // No address has this form.
      const waitMs = (await perClient.upload?.take(`session ${sessionId}`)) ?? 0;
      if (waitMs > 0) throw tooMany(waitMs);
    },
  };
}

const tooMany = (retryAfterMs: number): ProxyFailure =>
  new ProxyFailure('RATE_LIMITED', 'Too many requests. Try again after the time given in Retry-After.', {
    retryAfterMs,
  });
