import type { Sql } from '../db/index.ts';

/** The sessions of a node, as this sees them. */
export interface ForgettingSessions {
  has(sessionId: string): boolean;
  forget(sessionId: string): Promise<void>;
}

// Longer than a transaction that erases, and than a handshake that has read the session before it was erased.
const WINDOW_MS = 60_000;

/** Has sessions forgotten that were erased: by this node, by another one, or by the command line. */
export class ErasedSessions {
  readonly #sql: Sql;
  readonly #sessions: ForgettingSessions;

  constructor(sql: Sql, sessions: ForgettingSessions) {
    this.#sql = sql;
    this.#sessions = sessions;
  }

  /** Forgets what was erased lately and is still, or again, in this node's memory. */
  async look(): Promise<void> {
    const rows = await this.#sql.query<{ session_id: string }>(
      `SELECT session_id FROM erasures
        WHERE erased_at > (extract(epoch FROM clock_timestamp()) * 1000)::bigint - ${WINDOW_MS}`,
      [],
      { prepare: true },
    );
    const held = rows.map((row) => row.session_id).filter((id) => this.#sessions.has(id));
    await Promise.all(held.map((id) => this.#sessions.forget(id)));
  }
}
