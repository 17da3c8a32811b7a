import type { Sql } from '../../db/index.ts';
import { touchSessions } from './session-table.ts';

/**
 * Collects the activity of sessions that is stored with no event (heartbeats, typing) and writes it late, many sessions
 * in one statement. Activity stored with an event needs no separate statement: see `settle`.
 */
export interface ActivityBuffer {
  /** Notes that a session was active. Costs no statement. */
  touch(sessionId: string, atMs: number): void;
  /** The activity of a session until `atMs` was stored with an event. */
  settle(sessionId: string, atMs: number): void;
  /** Writes everything that was collected. A failed write stays collected for the next one. */
  flush(): Promise<void>;
  /** Stops the timer and writes the rest. */
  close(): Promise<void>;
}

/** What a buffer is started with. */
export type ActivityBufferOptions = {
  /**
   * How late activity may be written, in milliseconds. After a crash a session without events looks this much older.
   * Default 60,000, a tenth of the time after which a session expires.
   */
  readonly delayMs?: number;
  /** Called when the timer's write failed. */
  readonly onError?: (error: unknown) => void;
};

const DELAY_MS = 60_000;
// Writes per delay: due entries are written at most this fraction of the delay too early.
const ROUNDS = 12;

type Entry = { readonly atMs: number; readonly round: number };

/** Starts a buffer. */
export function createActivityBuffer(sql: Sql, options: ActivityBufferOptions = {}): ActivityBuffer {
  const collected = new Map<string, Entry>();
  let round = 0;
  const keep = (sessionId: string, entry: Entry): void => {
    const known = collected.get(sessionId);
    // Due by its first touch, so that a session that is always active is written too.
    collected.set(sessionId, {
      atMs: Math.max(entry.atMs, known?.atMs ?? 0),
      round: Math.min(entry.round, known?.round ?? entry.round),
    });
  };
  const write = async (batch: ReadonlyMap<string, Entry>): Promise<void> => {
    for (const sessionId of batch.keys()) collected.delete(sessionId);
    try {
      await touchSessions(sql, new Map([...batch].map(([sessionId, { atMs }]) => [sessionId, atMs])));
    } catch (error) {
      for (const [sessionId, entry] of batch) keep(sessionId, entry);
      throw error;
    }
  };
  const writeDue = (): void => {
    round += 1;
    const due = new Map([...collected].filter(([, entry]) => entry.round <= round - ROUNDS));
    if (due.size > 0) write(due).catch((error: unknown) => options.onError?.(error));
  };
  const timer = setInterval(writeDue, (options.delayMs ?? DELAY_MS) / (ROUNDS + 1));
  timer.unref();
  const flush = (): Promise<void> => write(new Map(collected));
  return {
    touch: (sessionId, atMs) => keep(sessionId, { atMs, round }),
    settle(sessionId, atMs) {
      const known = collected.get(sessionId);
      if (known !== undefined && known.atMs <= atMs) collected.delete(sessionId);
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
