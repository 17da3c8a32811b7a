import type { ConversationsQuery } from '@natter/sdk';
import type { Project } from '../../accounts/index.ts';
import type { Sql } from '../../db/index.ts';
import { type ListOrder, writeCursor } from '../search/index.ts';
import { findListed, type ListSources, readPosition } from './list-conversations.ts';
import { durationsOf } from './write-conversation.ts';
import { writeTime } from './write-turn.ts';

/** A conversation in a list without turns. */
export interface ConversationRow {
  readonly id: string;
  readonly startedAt: string;
  readonly channel: string;
  readonly variantName: string;
  readonly isInProgress: boolean;
  readonly numTurns: number;
  readonly durationSeconds: number;
  readonly isHandedOff: boolean;
  /** Null without an answer, and if transcripts are withheld. */
  readonly medianLatencySeconds: number | null;
  /** The survey's answer. */
  readonly score: string | null;
  readonly thumbsUp: number;
  readonly thumbsDown: number;
  /** Beginning of the visitor's first message; empty if transcripts are withheld. */
  readonly firstWords: string;
}

/** A page of rows. */
export interface RowsPage {
  readonly rows: readonly ConversationRow[];
  /** Cursor of the next page; null at the end. */
  readonly cursor: string | null;
}

const FIRST_WORDS = 160;
// The visitor's first message is in the first turns, if anywhere, and the survey in the last one.
const FIRST_TURNS = 20;
const LAST_TURNS = 1_000;

// Of two middle values the upper one is the median. Metrics are compared as text, because an agent's may contain
// characters that `->>` rejects.
const READ_ROWS = `
SELECT c.id, c.started_at, c.ended_at, c.agent_left_at, c.channel, c.variant_name, c.num_turns,
       c.handoff_at IS NOT NULL AS is_handed_off, facts.*,
       (SELECT left(user_input, ${FIRST_WORDS})
          FROM (SELECT ordinal, user_input FROM conversation_turns
                 WHERE conversation_id = c.id ORDER BY ordinal LIMIT ${FIRST_TURNS}) first
         WHERE user_input <> '' ORDER BY ordinal LIMIT 1) AS first_words
  FROM unnest($1::text[]) WITH ORDINALITY w (id, ix)
  JOIN conversations c USING (id)
 CROSS JOIN LATERAL (
   SELECT (array_agg(latency_ms ORDER BY latency_ms))[count(latency_ms) / 2 + 1] AS latency_ms,
          count(*) FILTER (WHERE metrics LIKE '%"FEEDBACK"%rating_":_"up_"%')::int AS up,
          count(*) FILTER (WHERE metrics LIKE '%"FEEDBACK"%rating_":_"down_"%')::int AS down,
          (array_agg(substring(metrics FROM '"CSAT_SCORE" *: *"?(\\w{1,16})') ORDER BY ordinal DESC)
             FILTER (WHERE metrics LIKE '%"CSAT_SCORE"%'))[1] AS score
     FROM (SELECT ordinal, latency_ms, metrics::text AS metrics FROM conversation_turns
            WHERE conversation_id = c.id ORDER BY ordinal DESC LIMIT ${LAST_TURNS}) t) facts
 ORDER BY w.ix`;

interface Row {
  readonly id: string;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly agent_left_at: number | null;
  readonly channel: string;
  readonly variant_name: string;
  readonly num_turns: number;
  readonly is_handed_off: boolean;
  readonly latency_ms: number | null;
  readonly up: number;
  readonly down: number;
  readonly score: string | null;
  readonly first_words: string | null;
}

/**
 * Reads a page of the v3 list for readers that show no turns, and only the data that its rows need. Latencies and
 * ratings are from the last {@link LAST_TURNS} turns. Rejects with a `RestError` for an invalid cursor.
 */
export async function listRows(
  sources: ListSources,
  project: Project,
  query: ConversationsQuery,
  nowMs: number,
  order: ListOrder = 'oldest',
): Promise<RowsPage> {
  const after = readPosition(query.cursor, true, 'v3');
  const { ids, next } = await findListed(sources, project, query, after, order);
  const rows = await readRows(sources.database, ids);
  return {
    rows: rows.map((row) => toRow(row, project, nowMs)),
    cursor: next === null ? null : writeCursor(next),
  };
}

async function readRows(sql: Sql, ids: readonly string[]): Promise<readonly Row[]> {
  return ids.length === 0 ? [] : await sql.query<Row>(READ_ROWS, [ids]);
}

function toRow(row: Row, { conversations }: Project, nowMs: number): ConversationRow {
  const { showTranscripts, responseMetrics } = conversations;
  const isShown = (metric: string): boolean => responseMetrics === null || responseMetrics.includes(metric);
  const { total } = durationsOf(
    { startedAtMs: row.started_at, endedAtMs: row.ended_at, agentLeftAtMs: row.agent_left_at },
    nowMs,
  );
  return {
    id: row.id,
    startedAt: writeTime(row.started_at),
    channel: row.channel,
    variantName: row.variant_name,
    isInProgress: row.ended_at === null,
    numTurns: row.num_turns,
    durationSeconds: total,
    isHandedOff: row.is_handed_off,
    medianLatencySeconds: showTranscripts && row.latency_ms !== null ? row.latency_ms / 1000 : null,
    score: isShown('CSAT_SCORE') ? row.score : null,
    thumbsUp: isShown('FEEDBACK') ? row.up : 0,
    thumbsDown: isShown('FEEDBACK') ? row.down : 0,
    firstWords: showTranscripts ? (row.first_words ?? '') : '',
  };
}
