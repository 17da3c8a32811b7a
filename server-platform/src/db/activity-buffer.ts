import { touchSessions } from './sessions.ts';
import type { Sql } from './sql.ts';

/** Collects activity of sessions and writes it in one statement per interval. */
export interface ActivityBuffer {
  /** Notes that a session was active. Costs no statement. */
  touch(sessionId: string, atMs: number): void;
  /** Writes what was collected. A failed write stays collected for the next one. */
  flush(): Promise<void>;
  /** Stops the timer and writes what is left. */
  close(): Promise<void>;
}

/** How often collected activity is written, in milliseconds. After a crash a session looks this much older. */
const FLUSH_INTERVAL_MS = 5_000;

/** Starts a buffer. `onError` hears of a failed write of the timer. */
export function createActivityBuffer(
  sql: Sql,
  options: { readonly intervalMs?: number; readonly onError?: (error: unknown) => void } = {},
): ActivityBuffer {
  let collected = new Map<string, number>();
  const keep = (sessionId: string, atMs: number): void => {
    collected.set(sessionId, Math.max(atMs, collected.get(sessionId) ?? 0));
  };
  const flush = async (): Promise<void> => {
    const batch = collected;
    collected = new Map();
    try {
      await touchSessions(sql, batch);
    } catch (error) {
      for (const [sessionId, atMs] of batch) keep(sessionId, atMs);
      throw error;
    }
  };
  const timer = setInterval(() => {
    flush().catch((error: unknown) => options.onError?.(error));
  }, options.intervalMs ?? FLUSH_INTERVAL_MS);
  timer.unref();
  return {
    touch: keep,
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
