import { type Clock, systemClock } from '../kit/clock.ts';
import type { Sql } from './sql.ts';

/** Now, in milliseconds. The database's clock decides, so that nodes need not agree on the time. */
export const DATABASE_NOW: string = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** What a clock of the database is made of. */
export interface DatabaseClockOptions {
  readonly sql: Sql;
  /** Milliseconds since any moment, which never jump. Default: `performance.now`. */
  readonly monotonic?: () => number;
  /** Called when the database's clock has been put forward or back, by so many milliseconds. */
  readonly onStep?: (byMs: number) => void;
}

/** How often a node looks whether its clock still goes with the database's, in milliseconds. */
export const FOLLOW_EVERY_MS = 10_000;

// What two clocks that both work do not drift apart between two looks.
const STEP_MS = 1_000;

/**
 * The database's time, tracked by each node: all nodes of a platform agree on expiry, even if their
 * machines' clocks differ. Between two queries the time advances with a monotonic clock.
 */
export class DatabaseClock implements Clock {
  readonly #sql: Sql;
  readonly #monotonic: () => number;
  readonly #onStep: (byMs: number) => void;
  /** The database's time less the monotonic one. Null before the first look. */
  #offsetMs: number | null = null;

  private constructor({ sql, monotonic = () => performance.now(), onStep = () => {} }: DatabaseClockOptions) {
    this.#sql = sql;
    this.#monotonic = monotonic;
    this.#onStep = onStep;
  }

  /** Reads the database's clock for the first time. Rejects when the database does not answer. */
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

  /** How far the machine's clock is before the database's, in milliseconds. */
  get machineAheadMs(): number {
    return Date.now() - this.now();
  }

  /**
   * Reads the database's clock. It was read at some moment between question and answer: the time is put right only when it
   * cannot be so, and only as far, so that a slow answer changes nothing.
   */
  async follow(): Promise<void> {
    const askedAtMs = this.#monotonic();
    const nowMs = await readDatabaseTime(this.#sql);
    const answeredAtMs = this.#monotonic();
    // The database's milliseconds are whole.
    const [least, most] = [nowMs - answeredAtMs, nowMs + 1 - askedAtMs];
    const before = this.#offsetMs;
    this.#offsetMs = before === null ? (least + most) / 2 : Math.min(Math.max(before, least), most);
    const byMs = before === null ? 0 : this.#offsetMs - before;
    if (Math.abs(byMs) >= STEP_MS) this.#onStep(Math.round(byMs));
  }
}

/** The database's time, in milliseconds. For what runs once, such as a command. */
export async function readDatabaseTime(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ now: number }>(`SELECT ${DATABASE_NOW} AS now`);
  if (row === undefined) throw new TypeError('the database told no time');
  return row.now;
}
