import type { AppendRequest, AppendResult } from './append-request.ts';
import { clientEventKey } from './client-event-key.ts';
import type { Sql, SqlValue } from './sql.ts';
import {
  EVENT_COLUMNS,
  type EventRow,
  type NewEvent,
  readEventRow,
  type StoredEvent,
} from './stored-event.ts';

/**
 * What one session contributes to a group: any number of requests that only add events, then at most one that also
 * needs a decision or changes something else (a client id to look up, a session or turn to change). Because that one
 * is last, a repetition moves no other event's number.
 */
export type Share = {
  readonly sessionId: string;
  readonly epoch: number;
  readonly plain: readonly AppendRequest[];
  readonly tail: AppendRequest | null;
};

/** What became of a share. */
export type ShareResult = {
  readonly plain: readonly AppendResult[];
  readonly tail: AppendResult | null;
};

// One statement, so that numbers are taken, the owner is checked and rows are written at one instant:
//   share     one row per session of the group
//   repeated  user messages that are in the log already (ECH-4). LIMIT keeps the planner from reading the whole log to
//             hash it, which looks cheap while the log is small
//   moved     takes the numbers: only under the right epoch, only in an open session. Locks the session's row, so a
//             new owner's claim comes either before (then the epoch differs and nothing is written) or after
//   the rest  inserts and updates what `moved` let through
const STATEMENT = `
WITH share AS MATERIALIZED (
  SELECT *
    FROM unnest($1::uuid[], $2::bigint[], $3::int[], $4::int[], $5::text[])
    WITH ORDINALITY AS t (session_id, epoch, plain, tail, client_key, ix)
), patch AS MATERIALIZED (
  SELECT *
    FROM json_to_recordset($6::json) AS p (
      ix bigint, state text, conversation_id text, conversation_status text, agent_state text, handoff text,
      language text, vocabulary text, last_activity bigint, ended_at bigint,
      new_turn uuid, new_turn_at bigint,
      turn uuid, turn_state text, turn_message text, turn_started bigint, turn_finished bigint, turn_latency int,
      turn_record text)
), repeated AS MATERIALIZED (
  SELECT share.ix, e.session_id, e.sequence, e.id, e.type, e.payload, e.custom, e.created_at
    FROM share
    CROSS JOIN LATERAL (
      SELECT * FROM events WHERE session_id = share.session_id AND client_event_id = share.client_key LIMIT 1
    ) e
   WHERE share.client_key IS NOT NULL
), moved AS (
  UPDATE sessions s
     SET last_sequence = s.last_sequence + j.taken,
         last_turn = s.last_turn + j.turns,
         state = COALESCE(j.state, s.state),
         conversation_id = COALESCE(j.conversation_id, s.conversation_id),
         conversation_status = COALESCE(j.conversation_status, s.conversation_status),
         agent_state = COALESCE(j.agent_state::json, s.agent_state),
         handoff = COALESCE(j.handoff::json, s.handoff),
         language = COALESCE(j.language, s.language),
         vocabulary = COALESCE(j.vocabulary, s.vocabulary),
         last_activity = GREATEST(j.last_activity, s.last_activity),
         ended_at = COALESCE(j.ended_at, s.ended_at)
    FROM (
      SELECT share.ix, share.session_id, share.epoch, share.plain, r.ix IS NULL AS is_fresh,
             share.plain + CASE WHEN r.ix IS NULL THEN share.tail ELSE 0 END AS taken,
             CASE WHEN p.new_turn IS NULL THEN 0 ELSE 1 END AS turns,
             p.state, p.conversation_id, p.conversation_status, p.agent_state, p.handoff, p.language, p.vocabulary,
             p.last_activity, p.ended_at
        FROM share
        LEFT JOIN repeated r ON r.ix = share.ix
        LEFT JOIN patch p ON p.ix = share.ix AND r.ix IS NULL
    ) j
   WHERE s.id = j.session_id
     AND s.owner_epoch = j.epoch
     AND s.state NOT IN ('ended', 'expired')
  RETURNING j.ix, j.session_id, j.plain, j.is_fresh, s.last_sequence - j.taken AS base, s.last_turn
), stored AS (
  INSERT INTO events (session_id, sequence, id, type, payload, custom, client_event_id, created_at)
  SELECT m.session_id, m.base + row.rank, row.id, row.type, row.payload::json, row.custom::json, row.client_key, row.at
    FROM unnest($7::bigint[], $8::int[], $9::uuid[], $10::text[], $11::text[], $12::text[], $13::text[], $14::bigint[])
      AS row (ix, rank, id, type, payload, custom, client_key, at)
    JOIN moved m ON m.ix = row.ix
   WHERE m.is_fresh OR row.rank <= m.plain
), queued AS (
  INSERT INTO turns (id, session_id, ordinal, input_sequence, state, queued_at)
  SELECT p.new_turn, m.session_id, m.last_turn, m.base + m.plain + 1, 'queued', p.new_turn_at
    FROM moved m
    JOIN patch p ON p.ix = m.ix
   WHERE m.is_fresh AND p.new_turn IS NOT NULL
), turned AS (
  UPDATE turns t
     SET state = COALESCE(p.turn_state, t.state),
         message_id = COALESCE(p.turn_message, t.message_id),
         started_at = COALESCE(p.turn_started, t.started_at),
         finished_at = COALESCE(p.turn_finished, t.finished_at),
         latency_ms = COALESCE(p.turn_latency, t.latency_ms),
         record = COALESCE(p.turn_record::json, t.record)
    FROM moved m
    JOIN patch p ON p.ix = m.ix
   WHERE t.id = p.turn AND t.session_id = m.session_id AND m.is_fresh
)
SELECT share.ix, m.base, m.is_fresh, m.last_turn, s.state AS found_state,
       ${EVENT_COLUMNS.split(', ')
         .map((column) => `r.${column}`)
         .join(', ')}
  FROM share
  LEFT JOIN moved m ON m.ix = share.ix
  LEFT JOIN repeated r ON r.ix = share.ix
  LEFT JOIN sessions s ON m.ix IS NULL AND s.id = share.session_id`;

type OutcomeRow = { [Key in keyof EventRow]: EventRow[Key] | null } & {
  readonly ix: number;
  readonly base: number | null;
  readonly is_fresh: boolean | null;
  readonly last_turn: number | null;
  readonly found_state: string | null;
};

/** Writes a group in one statement. Resolves with one result per share, in order. */
export async function appendGroup(sql: Sql, group: readonly Share[]): Promise<readonly ShareResult[]> {
  const rows = await sql.query<OutcomeRow>(STATEMENT, writeParams(group), { prepare: true });
  const outcomes = new Map(rows.map((row) => [row.ix, row]));
  return group.map((share, index) => readOutcome(share, outcomes.get(index + 1)));
}

function writeParams(group: readonly Share[]): readonly SqlValue[] {
  const columns: [
    number[],
    number[],
    string[],
    string[],
    string[],
    (string | null)[],
    (string | null)[],
    number[],
  ] = [[], [], [], [], [], [], [], []];
  const [ixs, ranks, ids, types, payloads, customs, keys, times] = columns;
  group.forEach((share, index) => {
    let rank = 0;
    for (const request of share.tail === null ? share.plain : [...share.plain, share.tail]) {
      for (const event of request.events) {
        rank += 1;
        ixs.push(index + 1);
        ranks.push(rank);
        ids.push(event.id);
        types.push(event.type);
        payloads.push(JSON.stringify(event.payload));
        customs.push(event.custom === null ? null : JSON.stringify(event.custom));
        keys.push(keyOf(event));
        times.push(event.timestampMs);
      }
    }
  });
  return [
    group.map((share) => share.sessionId),
    group.map((share) => share.epoch),
    group.map((share) => countEvents(share.plain)),
    group.map((share) => share.tail?.events.length ?? 0),
    group.map((share) => share.tail?.events.map(keyOf).find((key) => key !== null) ?? null),
    JSON.stringify(group.flatMap(writePatch)),
    ...columns,
  ];
}

function writePatch(share: Share, index: number): readonly object[] {
  const { tail } = share;
  const effects = tail?.effects;
  if (tail === null || effects === undefined) return [];
  const { session, queueTurn, turn } = effects;
  const lastEventMs = tail.events.at(-1)?.timestampMs;
  const isEnd = session?.state === 'ended' || session?.state === 'expired';
  return [
    {
      ix: index + 1,
      state: session?.state,
      conversation_id: session?.conversationId,
      conversation_status: session?.conversationStatus,
      agent_state: textOf(session?.agentState),
      handoff: textOf(session?.handoff),
      language: session?.language,
      vocabulary: session?.vocabulary,
      last_activity: session?.lastActivityMs,
      ended_at: isEnd ? (session.endedAtMs ?? lastEventMs) : undefined,
      new_turn: queueTurn?.id,
      new_turn_at: tail.events[0]?.timestampMs,
      turn: turn?.id,
      turn_state: turn?.state,
      turn_message: turn?.messageId,
      turn_started: turn?.startedAtMs,
      turn_finished: turn?.finishedAtMs,
      turn_latency: turn?.latencyMs === undefined ? undefined : Math.round(turn.latencyMs),
      turn_record: textOf(turn?.record),
    },
  ];
}

// JSON within JSON, as text: json_to_recordset would otherwise unescape the inner strings and refuse U+0000.
function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

function keyOf(event: NewEvent): string | null {
  const { clientEventId } = event;
  return clientEventId === undefined || clientEventId === null ? null : clientEventKey(clientEventId);
}

function countEvents(requests: readonly AppendRequest[]): number {
  return requests.reduce((sum, request) => sum + request.events.length, 0);
}

function readOutcome(share: Share, row: OutcomeRow | undefined): ShareResult {
  if (row === undefined || row.base === null) return refuse(share, row?.found_state ?? null);
  let sequence = row.base;
  const store = (request: AppendRequest): readonly StoredEvent[] =>
    request.events.map((event) => {
      sequence += 1;
      return toStored(share.sessionId, sequence, event);
    });
  const plain = share.plain.map(
    (request): AppendResult => ({
      status: 'appended',
      events: store(request),
      turn: null,
    }),
  );
  if (share.tail === null) return { plain, tail: null };
  if (row.is_fresh !== true) return { plain, tail: { status: 'repeated', original: readOriginal(row) } };
  const queued = share.tail.effects?.queueTurn;
  const turn =
    queued === undefined ? null : { id: queued.id, ordinal: row.last_turn ?? 0, inputSequence: sequence + 1 };
  return { plain, tail: { status: 'appended', events: store(share.tail), turn } };
}

function refuse(share: Share, foundState: string | null): ShareResult {
  const isClosed = foundState === null || foundState === 'ended' || foundState === 'expired';
  const result: AppendResult = { status: isClosed ? 'session_closed' : 'stale_owner' };
  return { plain: share.plain.map(() => result), tail: share.tail === null ? null : result };
}

function toStored(sessionId: string, sequence: number, event: NewEvent): StoredEvent {
  const { id, type, payload, custom, timestampMs } = event;
  return { sessionId, sequence, id, type, payload: { ...payload }, custom, timestampMs };
}

function readOriginal(row: OutcomeRow): StoredEvent {
  const { session_id, sequence, id, type, payload, custom, created_at } = row;
  if (session_id === null || sequence === null || id === null || type === null)
    throw new TypeError('no original');
  return readEventRow({
    session_id,
    sequence,
    id,
    type,
    payload: payload ?? {},
    custom,
    created_at: created_at ?? 0,
  });
}
