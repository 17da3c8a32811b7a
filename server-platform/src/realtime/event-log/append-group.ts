import { type Sql, type SqlValue, storableText } from '../../db/index.ts';
import { type AppendRequest, type AppendResult, isPlain, keyOf } from './append-request.ts';
import { APPEND_EVENTS, APPEND_WITH_EFFECTS, APPEND_WITH_RECORDS, FIND_STATES } from './append-sql.ts';
import { clientEventKey } from './client-event-key.ts';
import type { ConversationChange } from './conversation-change.ts';
import { rangeOf } from './event-partitions.ts';
import { mergeChanges } from './merge-changes.ts';
import { type EventRow, type NewEvent, readEventRow, type StoredEvent } from './stored-event.ts';
import { toChangeRow, toTurnRows } from './write-conversations.ts';

/**
 * The requests of one session in a group, in their order. No two have the same draft id or change the same turn. Only the
 * last one sets fields of the session other than the time of the last activity. Their records are of one conversation:
 * one request's with a draft id, or of any number of requests without.
 */
export type SessionBatch = {
  readonly sessionId: string;
  readonly epoch: number;
  readonly requests: readonly AppendRequest[];
};

type OutcomeRow = { [Key in keyof EventRow]: EventRow[Key] | null } & {
  readonly nr: number;
  /** Whether the session was written to. */
  readonly is_open: boolean;
  /** Null for a duplicate. */
  readonly base: number | null;
  readonly last_turn: number | null;
  readonly found_state: string | null;
};

/** Writes a group in one statement. Resolves with the results of each batch's requests, in order. */
export async function appendGroup(
  sql: Sql,
  group: readonly SessionBatch[],
): Promise<readonly (readonly AppendResult[])[]> {
  if (group.every(({ requests }) => requests.every(isPlain))) return await appendEvents(sql, group);
  const records = mergeRecords(group);
  const rows = await sql.query<OutcomeRow>(
    records.length === 0 ? APPEND_WITH_EFFECTS : APPEND_WITH_RECORDS,
    [...writeParams(group), ...(records.length === 0 ? [] : writeRecords(records))],
    { prepare: true },
  );
  const outcomes = new Map(rows.map((row) => [row.nr, row]));
  let nr = 0;
  return group.map(({ requests }) =>
    requests.map((request) => {
      nr += 1;
      return readOutcome(request, outcomes.get(nr));
    }),
  );
}

async function appendEvents(
  sql: Sql,
  group: readonly SessionBatch[],
): Promise<readonly (readonly AppendResult[])[]> {
  const params: SqlValue[] = [
    group.map(({ sessionId }) => sessionId),
    group.map(({ epoch }) => epoch),
    group.map(({ requests }) => requests.reduce((sum, { events }) => sum + events.length, 0)),
  ];
  const [ixs, ranks, ids, types, payloads, customs, , times] = writeRows(
    group.map(({ requests }) => requests.flatMap(({ events }) => events)),
  );
  const rows = await sql.query<{ ix: number; base: number }>(
    APPEND_EVENTS,
    [...params, ixs, ranks, ids, types, payloads, customs, times],
    { prepare: true },
  );
  const bases = new Map(rows.map((row) => [row.ix, row.base]));
  const refused = group.filter((_, index) => !bases.has(index + 1));
  const states = refused.length === 0 ? new Map<string, string>() : await findStates(sql, refused);
  return group.map(({ sessionId, requests }, index) => {
    let last = bases.get(index + 1);
    return requests.map((request): AppendResult => {
      if (last === undefined) return refuse(states.get(sessionId) ?? null);
      const events = numberEvents(request, last);
      last += events.length;
      return { status: 'appended', events, turn: null };
    });
  });
}

async function findStates(sql: Sql, refused: readonly SessionBatch[]): Promise<ReadonlyMap<string, string>> {
  const ids = refused.map((share) => share.sessionId);
  const rows = await sql.query<{ id: string; state: string }>(FIND_STATES, [ids]);
  return new Map(rows.map((row) => [row.id, row.state]));
}

type RowColumns = [
  owners: number[],
  ranks: number[],
  ids: string[],
  types: string[],
  payloads: string[],
  customs: (string | null)[],
  keys: (string | null)[],
  times: number[],
];

/** Events, each list of which has an owner: the request or the share, by its place from 1. */
function writeRows(owners: readonly (readonly NewEvent[])[]): RowColumns {
  const columns: RowColumns = [[], [], [], [], [], [], [], []];
  const [numbers, ranks, ids, types, payloads, customs, keys, times] = columns;
  owners.forEach((events, index) => {
    events.forEach((event, rank) => {
      numbers.push(index + 1);
      ranks.push(rank + 1);
      ids.push(event.id);
      types.push(event.type);
      payloads.push(JSON.stringify(event.payload));
      customs.push(event.custom === null ? null : JSON.stringify(event.custom));
      keys.push(toKey(event.clientEventId ?? null));
      times.push(event.timestampMs);
    });
  });
  return columns;
}

function writeParams(group: readonly SessionBatch[]): readonly SqlValue[] {
  const requests = group.flatMap((share) => share.requests);
  return [
    group.map(({ sessionId }) => sessionId),
    group.map(({ epoch }) => epoch),
    group.flatMap((share, index) => share.requests.map(() => index + 1)),
    requests.map(({ events }) => events.length),
    requests.map((request) => toKey(keyOf(request))),
    JSON.stringify(requests.flatMap(writePatch)),
    ...writeRows(requests.map(({ events }) => events)),
    ...rangeOf(group.map(({ sessionId }) => sessionId)),
  ];
}

type NumberedChange = { readonly nr: number; readonly change: ConversationChange };

/** Merges the records of each batch into one change, with the number of a request on which it depends. */
function mergeRecords(group: readonly SessionBatch[]): readonly NumberedChange[] {
  let nr = 0;
  return group.flatMap(({ requests }) => {
    let merged: NumberedChange | null = null;
    for (const { effects } of requests) {
      nr += 1;
      const change = effects?.record;
      if (change === undefined) continue;
      merged = { nr, change: merged === null ? change : mergeChanges(merged.change, change) };
    }
    return merged ?? [];
  });
}

function writeRecords(records: readonly NumberedChange[]): readonly string[] {
  return [
    JSON.stringify(records.map(({ nr, change }) => ({ ...toChangeRow(change), nr }))),
    JSON.stringify(toTurnRows(records.map(({ change }) => change))),
  ];
}

function writePatch({ effects, events }: AppendRequest, index: number): readonly object[] {
  if (effects === undefined) return [];
  const { session, queueTurn, beginTurn, endTurn } = effects;
  const lastEventMs = events.at(-1)?.timestampMs;
  const isEnd = session?.state === 'ended' || session?.state === 'expired';
  return [
    {
      nr: index + 1,
      state: session?.state,
      conversation_id: session?.conversationId,
      conversation_status: session?.conversationStatus,
      agent_state: textOf(session?.agentState),
      handoff: textOf(session?.handoff),
      language: session?.language === undefined ? undefined : storableText(session.language),
      vocabulary: session?.vocabulary,
      last_activity: session?.lastActivityMs,
      ended_at: isEnd ? (session.endedAtMs ?? lastEventMs) : undefined,
      new_turn: queueTurn?.id,
      new_turn_at: events[0]?.timestampMs,
      begun_turn: beginTurn?.id,
      begun_message: beginTurn?.messageId,
      begun_at: beginTurn?.startedAtMs,
      ended_turn: endTurn?.id,
    },
  ];
}

// JSON within JSON, as text: json_to_recordset would otherwise unescape the inner strings and refuse U+0000.
function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

function toKey(clientEventId: string | null): string | null {
  return clientEventId === null ? null : clientEventKey(clientEventId);
}

function readOutcome(request: AppendRequest, row: OutcomeRow | undefined): AppendResult {
  if (row === undefined || !row.is_open) return refuse(row?.found_state ?? null);
  if (row.base === null) return { status: 'repeated', original: readOriginal(row) };
  const queued = request.effects?.queueTurn;
  const turn =
    queued === undefined ? null : { id: queued.id, ordinal: row.last_turn ?? 0, inputSequence: row.base + 1 };
  return { status: 'appended', events: numberEvents(request, row.base), turn };
}

function numberEvents({ sessionId, events }: AppendRequest, base: number): readonly StoredEvent[] {
  return events.map((event, index) => toStored(sessionId, base + index + 1, event));
}

function refuse(foundState: string | null): AppendResult {
  const isClosed = foundState === 'ended' || foundState === 'expired';
  return { status: foundState === null ? 'session_missing' : isClosed ? 'session_closed' : 'stale_owner' };
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
