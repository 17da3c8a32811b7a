import { type Clock, systemClock } from '../kit/clock.ts';
import type { Sql } from './sql.ts';

/** Now, in milliseconds. The database's clock decides, so that nodes need not agree on the time. */
export const DATABASE_NOW: string = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Options of a database clock. */
export interface DatabaseClockOptions {
  readonly sql: Sql;
  /** Milliseconds since any moment, never jumping. Default: `performance.now`. */
  readonly monotonic?: () => number;
  /** Called with the difference in milliseconds when the database's clock was set forward or back. */
  readonly onStep?: (byMs: number) => void;
}

/** How often a node compares its clock with the database's, in milliseconds. */
export const FOLLOW_EVERY_MS = 10_000;

// More than two working clocks drift apart between two comparisons.
const STEP_MS = 1_000;

/**
 * The database's time, tracked by each node: all nodes of a platform agree on expiry, even if their
 * machines' clocks differ. Between two queries the time advances with a monotonic clock.
 */
export class DatabaseClock implements Clock {
  readonly #sql: Sql;
  readonly #monotonic: () => number;
  readonly #onStep: (byMs: number) => void;
  /** The database's time minus the monotonic one. Null before the first query. */
  #offsetMs: number | null = null;

  private constructor({ sql, monotonic = () => performance.now(), onStep = () => {} }: DatabaseClockOptions) {
    this.#sql = sql;
    this.#monotonic = monotonic;
    this.#onStep = onStep;
  }

  /** Reads the database's clock for the first time. Rejects when the database does not respond. */
  static async start(options: DatabaseClockOptions): Promise<DatabaseClock> {
    const clock = new DatabaseClock(options);
    await clock.follow();
    return clock;
  }

  now(): number {
    return Math.floor(this.#monotonic() + (this.#offsetMs ?? 0));
  }

  setTimer(callback: () => void, delayMs: number): () => void {
    return systemClock.setTimer(callback, delayMs);
  }

  /** How far the machine's clock is ahead of the database's, in milliseconds. */
  get machineAheadMs(): number {
    return Date.now() - this.now();
  }

  /**
   * Reads the database's clock. It was read at some moment between request and response; the offset is corrected only
   * if it contradicts that, and only as far as necessary, so that a slow response changes nothing.
   */
  async follow(): Promise<void> {
    const askedAtMs = this.#monotonic();
    const nowMs = await readDatabaseTime(this.#sql);
    const answeredAtMs = this.#monotonic();
    // The database returns whole milliseconds.
    const [least, most] = [nowMs - answeredAtMs, nowMs + 1 - askedAtMs];
    const before = this.#offsetMs;
    this.#offsetMs = before === null ? (least + most) / 2 : Math.min(Math.max(before, least), most);
    const byMs = before === null ? 0 : this.#offsetMs - before;
    if (Math.abs(byMs) >= STEP_MS) this.#onStep(Math.round(byMs));
  }
}

/** Returns the database's time in milliseconds. For one-off uses, such as a command. */
export async function readDatabaseTime(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ now: number }>(`SELECT ${DATABASE_NOW} AS now`);
  if (row === undefined) throw new TypeError('the database returned no time');
  return row.now;
}
