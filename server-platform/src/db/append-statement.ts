import type { AppendRequest, AppendResult } from './append-request.ts';
import { APPEND_EVENTS, APPEND_WITH_EFFECTS, FIND_STATES } from './append-sql.ts';
import { clientEventKey } from './client-event-key.ts';
import type { Sql, SqlValue } from './sql.ts';
import { type EventRow, type NewEvent, readEventRow, type StoredEvent } from './stored-event.ts';

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

type OutcomeRow = { [Key in keyof EventRow]: EventRow[Key] | null } & {
  readonly ix: number;
  readonly base: number | null;
  readonly is_fresh: boolean | null;
  readonly last_turn: number | null;
  readonly found_state: string | null;
};

/** Writes a group in one statement. Resolves with one result per share, in order. */
export async function appendGroup(sql: Sql, group: readonly Share[]): Promise<readonly ShareResult[]> {
  if (group.every((share) => share.tail === null)) return await appendEvents(sql, group);
  const rows = await sql.query<OutcomeRow>(APPEND_WITH_EFFECTS, writeParams(group), { prepare: true });
  const outcomes = new Map(rows.map((row) => [row.ix, row]));
  return group.map((share, index) => readOutcome(share, outcomes.get(index + 1)));
}

async function appendEvents(sql: Sql, group: readonly Share[]): Promise<readonly ShareResult[]> {
  const [ixs, ranks, ids, types, payloads, customs, , times] = writeRows(group);
  const rows = await sql.query<{ ix: number; base: number }>(
    APPEND_EVENTS,
    [...writeShares(group), ixs, ranks, ids, types, payloads, customs, times],
    { prepare: true },
  );
  const bases = new Map(rows.map((row) => [row.ix, row.base]));
  const refused = group.filter((_, index) => !bases.has(index + 1));
  const states = refused.length === 0 ? new Map<string, string>() : await findStates(sql, refused);
  return group.map((share, index) => {
    const base = bases.get(index + 1);
    return base === undefined
      ? refuse(share, states.get(share.sessionId) ?? null)
      : { plain: readPlain(share, base).results, tail: null };
  });
}

async function findStates(sql: Sql, refused: readonly Share[]): Promise<ReadonlyMap<string, string>> {
  const ids = refused.map((share) => share.sessionId);
  const rows = await sql.query<{ id: string; state: string }>(FIND_STATES, [ids]);
  return new Map(rows.map((row) => [row.id, row.state]));
}

type RowColumns = [
  ixs: number[],
  ranks: number[],
  ids: string[],
  types: string[],
  payloads: string[],
  customs: (string | null)[],
  keys: (string | null)[],
  times: number[],
];

function writeRows(group: readonly Share[]): RowColumns {
  const columns: RowColumns = [[], [], [], [], [], [], [], []];
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
  return columns;
}

function writeShares(group: readonly Share[]): readonly [string[], number[], number[]] {
  return [
    group.map((share) => share.sessionId),
    group.map((share) => share.epoch),
    group.map((share) => countEvents(share.plain)),
  ];
}

function writeParams(group: readonly Share[]): readonly SqlValue[] {
  return [
    ...writeShares(group),
    group.map((share) => share.tail?.events.length ?? 0),
    group.map((share) => share.tail?.events.map(keyOf).find((key) => key !== null) ?? null),
    JSON.stringify(group.flatMap(writePatch)),
    ...writeRows(group),
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
  const { results: plain, last } = readPlain(share, row.base);
  if (share.tail === null) return { plain, tail: null };
  if (row.is_fresh !== true) return { plain, tail: { status: 'repeated', original: readOriginal(row) } };
  const queued = share.tail.effects?.queueTurn;
  const turn =
    queued === undefined ? null : { id: queued.id, ordinal: row.last_turn ?? 0, inputSequence: last + 1 };
  return { plain, tail: { status: 'appended', events: numberEvents(share.tail, last), turn } };
}

function readPlain(
  share: Share,
  base: number,
): { readonly results: readonly AppendResult[]; readonly last: number } {
  let last = base;
  const results = share.plain.map((request): AppendResult => {
    const events = numberEvents(request, last);
    last += events.length;
    return { status: 'appended', events, turn: null };
  });
  return { results, last };
}

function numberEvents({ sessionId, events }: AppendRequest, base: number): readonly StoredEvent[] {
  return events.map((event, index) => toStored(sessionId, base + index + 1, event));
}

function refuse(share: Share, foundState: string | null): ShareResult {
  const isClosed = foundState === 'ended' || foundState === 'expired';
  const status = foundState === null ? 'session_missing' : isClosed ? 'session_closed' : 'stale_owner';
  const result: AppendResult = { status };
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
