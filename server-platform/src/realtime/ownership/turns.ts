import type { Sql } from '../../db/index.ts';
import { HAS_LIVE_OWNER } from './node-leases.ts';

/** An open turn of a session: an accepted input whose answer is not at its end. */
export type Turn = {
  readonly id: string;
  readonly sessionId: string;
  /** From 1, in order of acceptance (8.2). */
  readonly ordinal: number;
  /** Sequence of the event that asked for it: the user's message, or the request to join. */
  readonly inputSequence: number;
  /** `message_id` of the answer. Null: nothing of the answer is stored, the turn may be answered again. */
  readonly messageId: string | null;
  readonly queuedAtMs: number;
  /** When the first part of the answer was stored. */
  readonly startedAtMs: number | null;
};

type TurnRow = {
  readonly id: string;
  readonly session_id: string;
  readonly ordinal: number;
  readonly input_sequence: number;
  readonly message_id: string | null;
  readonly queued_at: number;
  readonly started_at: number | null;
};

/** Turns of a session that are not over, oldest first. What a new owner has to take up. */
export async function listOpenTurns(sql: Sql, sessionId: string): Promise<readonly Turn[]> {
  const rows = await sql.query<TurnRow>(
    `SELECT id, session_id, ordinal, input_sequence, message_id, queued_at, started_at
       FROM turns WHERE session_id = $1 ORDER BY ordinal`,
    [sessionId],
  );
  return rows.map(readTurnRow);
}

/**
 * Open sessions with open turns whose owner's lease ran out, longest waiting first. Another node claims them and
 * carries on ("If the owner dies"). `except` leaves sessions out whose recovery was tried.
 */
export async function listSessionsToRecover(
  sql: Sql,
  { limit = 100, except = [] }: { readonly limit?: number; readonly except?: readonly string[] } = {},
): Promise<readonly string[]> {
  const rows = await sql.query<{ id: string }>(
    `SELECT s.id
       FROM sessions s
       JOIN (SELECT session_id, min(queued_at) AS since FROM turns GROUP BY session_id) t ON t.session_id = s.id
      WHERE s.ended_at IS NULL AND NOT ${HAS_LIVE_OWNER}
        AND s.id <> ALL($2::uuid[])
      ORDER BY t.since
      LIMIT $1`,
    [limit, except],
  );
  return rows.map((row) => row.id);
}

function readTurnRow(row: TurnRow): Turn {
  return {
    id: row.id,
    sessionId: row.session_id,
    ordinal: row.ordinal,
    inputSequence: row.input_sequence,
    messageId: row.message_id,
    queuedAtMs: row.queued_at,
    startedAtMs: row.started_at,
  };
}
