import type { Sql } from '../../db/index.ts';
import { HAS_LIVE_OWNER } from './node-leases.ts';

/** An open turn of a session: an accepted input without a complete answer. */
export type Turn = {
  readonly id: string;
  readonly sessionId: string;
  /** From 1, in order of acceptance (8.2). */
  readonly ordinal: number;
  /** Sequence of the event that caused the turn: the user's message or the join request. */
  readonly inputSequence: number;
  /** `message_id` of the answer. Null: no part of the answer is stored, so the agent may answer again. */
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

/** Unfinished turns of a session, oldest first, for a new owner to resume. */
export async function listOpenTurns(sql: Sql, sessionId: string): Promise<readonly Turn[]> {
  const rows = await sql.query<TurnRow>(
    `SELECT id, session_id, ordinal, input_sequence, message_id, queued_at, started_at
       FROM turns WHERE session_id = $1 ORDER BY ordinal`,
    [sessionId],
  );
  return rows.map(readTurnRow);
}

/**
 * Open sessions with open turns whose owner's lease expired, longest waiting first. Another node claims and resumes
 * them ("If the owner dies"). `except` skips sessions whose recovery was already tried.
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
