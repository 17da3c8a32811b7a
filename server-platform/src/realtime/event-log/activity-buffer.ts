import type { Sql } from '../../db/index.ts';
import { touchSessions } from './session-table.ts';

/**
 * Buffers activity without events (heartbeats, typing) and writes it with a delay, many sessions per statement.
 * Activity that comes with an event is stored by the append: see `settle`.
 */
export interface ActivityBuffer {
  /** Records that a session was active. Runs no statement. */
  touch(sessionId: string, atMs: number): void;
  /** Drops buffered activity until `atMs`, because an event stored it. */
  settle(sessionId: string, atMs: number): void;
  /** Writes all buffered activity. After a failure it stays buffered for the next attempt. */
  flush(): Promise<void>;
  /** Stops the timer and flushes the buffer. */
  close(): Promise<void>;
}

/** Options of {@link createActivityBuffer}. */
export type ActivityBufferOptions = {
  /**
   * Longest delay of a write, in milliseconds. After a crash, a session without events appears idle for this much
   * longer. Default 60,000, a tenth of the time after which a session expires.
   */
  readonly delayMs?: number;
  /** Called when the timer's write failed. */
  readonly onError?: (error: unknown) => void;
};

const DELAY_MS = 60_000;
// Writes per delay, so entries are written at most this fraction of the delay too early.
const ROUNDS = 12;

type Entry = { readonly atMs: number; readonly round: number };

/** Starts a buffer. */
export function createActivityBuffer(sql: Sql, options: ActivityBufferOptions = {}): ActivityBuffer {
  const collected = new Map<string, Entry>();
  let round = 0;
  const keep = (sessionId: string, entry: Entry): void => {
    const known = collected.get(sessionId);
    // Due from its first touch, so that a session with constant activity is written too.
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
