import { HAS_LIVE_OWNER } from './node-leases.ts';
import type { Sql } from './sql.ts';

/** `queued` → `running` → `done` or `failed`. */
export type TurnState = 'queued' | 'running' | 'done' | 'failed';

/** One turn of a session: an accepted input and what became of its answer. */
export type Turn = {
  readonly id: string;
  readonly sessionId: string;
  /** From 1, in order of acceptance (8.2). */
  readonly ordinal: number;
  /** Sequence of the event that asked for it: the user's message, or the request to join. */
  readonly inputSequence: number;
  readonly state: TurnState;
  /** `message_id` of the answer. Null: nothing of the answer is stored, the turn may be answered again. */
  readonly messageId: string | null;
  readonly queuedAtMs: number;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly latencyMs: number | null;
  readonly record: unknown;
};

/** Fields of a turn to change; those left out stay. `done` and `failed` need `finishedAtMs`. */
export type TurnPatch = {
  readonly state?: TurnState | undefined;
  readonly messageId?: string | undefined;
  readonly startedAtMs?: number | undefined;
  readonly finishedAtMs?: number | undefined;
  readonly latencyMs?: number | undefined;
  /** Intents, metrics and the like; any JSON value. */
  readonly record?: unknown;
};

type TurnRow = {
  readonly id: string;
  readonly session_id: string;
  readonly ordinal: number;
  readonly input_sequence: number;
  readonly state: TurnState;
  readonly message_id: string | null;
  readonly queued_at: number;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  readonly latency_ms: number | null;
  readonly record: unknown;
};

const COLUMNS = `id, session_id, ordinal, input_sequence, state, message_id, queued_at, started_at, finished_at,
  latency_ms, record`;

/** Turns of a session that are neither done nor failed, oldest first. What a new owner has to take up. */
export async function listUnfinishedTurns(sql: Sql, sessionId: string): Promise<readonly Turn[]> {
  const rows = await sql.query<TurnRow>(
    `SELECT ${COLUMNS} FROM turns WHERE session_id = $1 AND finished_at IS NULL ORDER BY ordinal`,
    [sessionId],
  );
  return rows.map(readTurnRow);
}

/** All turns of a session, oldest first. */
export async function listTurns(sql: Sql, sessionId: string): Promise<readonly Turn[]> {
  const rows = await sql.query<TurnRow>(
    `SELECT ${COLUMNS} FROM turns WHERE session_id = $1 ORDER BY ordinal`,
    [sessionId],
  );
  return rows.map(readTurnRow);
}

/**
 * Open sessions with unfinished turns whose owner's lease ran out, longest waiting first. Another node claims them and
 * carries on ("If the owner dies"). `except` leaves sessions out whose recovery was tried.
 */
export async function listSessionsToRecover(
  sql: Sql,
  { limit = 100, except = [] }: { readonly limit?: number; readonly except?: readonly string[] } = {},
): Promise<readonly string[]> {
  const rows = await sql.query<{ id: string }>(
    `SELECT s.id
       FROM sessions s
       JOIN (SELECT session_id, min(queued_at) AS since FROM turns WHERE finished_at IS NULL GROUP BY session_id) t
         ON t.session_id = s.id
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
    state: row.state,
    messageId: row.message_id,
    queuedAtMs: row.queued_at,
    startedAtMs: row.started_at,
    finishedAtMs: row.finished_at,
    latencyMs: row.latency_ms,
    record: row.record,
  };
}
