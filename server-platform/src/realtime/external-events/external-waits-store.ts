import { and, desc, eq, gt, isNull } from 'drizzle-orm';
import type { AgentExternalEvent, WaitForEventAction } from '../../agents/index.ts';
import { externalWaits, queryBuilder, type Sql, storableText } from '../../db/index.ts';
import { HAS_LIVE_OWNER } from '../ownership/index.ts';

/** Lifetime of an id that an agent has issued. Source: EE-3. */
export const EVENT_ID_LIFETIME_MS = 3_600_000;

/** Owner of a wait. */
export type WaitOwner = {
  readonly conversationId: string;
  /** Null for a channel that cannot be notified immediately. */
  readonly sessionId: string | null;
  /** The owner's epoch. Omitted: any owner. */
  readonly sessionEpoch?: number | null;
  readonly projectId: string;
};

/** A wait whose end the agent does not know yet. */
export type OpenWait = {
  readonly eventId: string;
  readonly name: string;
  readonly round: number;
  readonly dueAtMs: number;
  readonly deliveredUpTo: number;
  /** Part of the answer is already in the log, so it must not be sent again. */
  readonly isBegun: boolean;
};

/** An event of a conversation. Ordinals rise; they are comparable for one id only. */
export type ReceivedEvent = AgentExternalEvent & { readonly ordinal: number };

/** The external events of a conversation and its open waits. */
export type ExternalState = {
  /** Whether the agent has ever issued an id. */
  readonly hasIds: boolean;
  readonly waits: readonly OpenWait[];
  /** All received events, in order. */
  readonly received: readonly ReceivedEvent[];
};

/** An event as received. */
export type NewExternalEvent = {
  readonly eventId: string;
  readonly projectId: string;
  readonly contentType: string;
  readonly data: unknown;
};

/**
 * Stores an id and its wait before the agent issues the id. An earlier wait of the same name is cancelled, but its id
 * stays valid. Waiting again for a known id reports the events after `deliveredUpTo` to the agent.
 *
 * Fails when the id belongs to another conversation, when the conversation is not stored (it was erased), and when the
 * session has another epoch.
 */
export async function openWait(
  sql: Sql,
  owner: WaitOwner,
  wait: WaitForEventAction,
  { nowMs, deliveredUpTo = 0 }: { readonly nowMs: number; readonly deliveredUpTo?: number },
): Promise<OpenWait> {
  const { eventId } = wait;
  const name = storableText(wait.name);
  const dueAtMs = nowMs + wait.timeoutMs;
  const [row] = await sql.query<{ round: number }>(
    `WITH owned AS MATERIALIZED (
       -- A node that lost the session writes nothing of it. The lock keeps another one from taking it meanwhile.
       SELECT 1 FROM sessions WHERE id = $3::uuid AND owner_epoch = $11::bigint FOR SHARE
     ), replaced AS (
       UPDATE external_waits SET settled_at = $7
        WHERE conversation_id = $2 AND name = $5 AND event_id <> $1 AND settled_at IS NULL
          AND ($11::bigint IS NULL OR EXISTS (SELECT 1 FROM owned))
     )
     INSERT INTO external_waits AS w
            (event_id, conversation_id, session_id, project_id, name, send_to_llm, created_at, expires_at, due_at,
             told_until)
     -- The lock keeps the conversation until the wait is stored: nothing is written for one that was erased.
     SELECT $1, c.id, $3::uuid, $4, $5, $6::boolean, $7::bigint, $8::bigint, $9::bigint, $10::bigint
       FROM (SELECT id FROM conversations WHERE id = $2 FOR KEY SHARE) c
      WHERE $11::bigint IS NULL OR EXISTS (SELECT 1 FROM owned)
     ON CONFLICT (event_id) DO UPDATE
        SET name = EXCLUDED.name, send_to_llm = EXCLUDED.send_to_llm, due_at = EXCLUDED.due_at,
            told_until = EXCLUDED.told_until, round = w.round + 1, begun_at = NULL, settled_at = NULL
      WHERE w.conversation_id = EXCLUDED.conversation_id
     RETURNING round`,
    [
      eventId,
      owner.conversationId,
      owner.sessionId,
      owner.projectId,
      name,
      wait.sendToLlm ?? false,
      nowMs,
      nowMs + EVENT_ID_LIFETIME_MS,
      dueAtMs,
      deliveredUpTo,
      owner.sessionEpoch ?? null,
    ],
  );
  if (row === undefined)
    throw new Error(
      'The agent waits for an event id that belongs to another conversation or another node, or to a conversation without a record.',
    );
  return { eventId, name, round: row.round, dueAtMs, deliveredUpTo, isBegun: false };
}

// Per conversation, whose agent is given all of them. Equals four bodies of the largest size.
const MAX_EVENTS = 400;
const MAX_BYTES = 4_194_304;

/**
 * Stores an event for its id. Resolves with the session to notify (null: none), with `'not_valid'` when the id is
 * unknown, expired, of another project, or its conversation is over, or with `'too_many'` when the conversation's limit
 * is reached. Source: EE-4, EE-5.
 */
export async function storeExternalEvent(
  sql: Sql,
  event: NewExternalEvent,
  nowMs: number,
): Promise<{ readonly sessionId: string | null } | 'not_valid' | 'too_many'> {
  // The database cannot store U+0000 in a text, so no id contains it.
  if (event.eventId.includes('\0')) return 'not_valid';
  const { eventId, projectId, contentType } = event;
  return await sql.tx(async (tx) => {
    // Concurrent posts for one conversation take their ordinals one after the other, and each sees the earlier ones.
    await tx.query(
      `SELECT pg_advisory_xact_lock(hashtextextended('natter external events ' || conversation_id, 0))
         FROM external_waits WHERE event_id = $1`,
      [eventId],
    );
    const [wait] = await tx.query<{ session_id: string | null; conversation_id: string }>(
      `SELECT w.session_id, w.conversation_id
         FROM external_waits w
         LEFT JOIN sessions s ON s.id = w.session_id
         LEFT JOIN conversations c ON c.id = w.conversation_id
        WHERE w.event_id = $1 AND w.project_id = $2 AND w.expires_at > $3
          AND s.ended_at IS NULL AND c.ended_at IS NULL
          FOR NO KEY UPDATE OF w`,
      [eventId, projectId, nowMs],
    );
    if (wait === undefined) return 'not_valid';
    const [stored] = await tx.query(
      `WITH held AS (
         SELECT count(*) AS events, coalesce(sum(octet_length(e.data::text)), 0) AS bytes
           FROM external_waits w JOIN external_events e USING (event_id) WHERE w.conversation_id = $5
       )
       INSERT INTO external_events (event_id, created_at, content_type, data)
       SELECT $1, $2, $3, $4::text::json FROM held
        WHERE events < ${MAX_EVENTS} AND bytes + octet_length($4::text) <= ${MAX_BYTES}
       RETURNING ordinal`,
      [eventId, nowMs, contentType, JSON.stringify(event.data), wait.conversation_id],
    );
    return stored === undefined ? 'too_many' : { sessionId: wait.session_id };
  });
}

type StateRow = {
  readonly event_id: string;
  readonly name: string;
  readonly send_to_llm: boolean;
  readonly round: number;
  readonly due_at: number;
  readonly told_until: number;
  readonly begun_at: number | null;
  readonly settled_at: number | null;
  readonly ordinal: number | null;
  readonly created_at: number | null;
  readonly content_type: string | null;
  readonly data: unknown;
};

/** Reads a conversation's open waits and the events that arrived for them. */
export async function loadExternalState(sql: Sql, conversationId: string): Promise<ExternalState> {
  const rows = await sql.query<StateRow>(
    `SELECT w.event_id, w.name, w.send_to_llm, w.round, w.due_at, w.told_until, w.begun_at, w.settled_at,
            e.ordinal, e.created_at, e.content_type, e.data
       FROM external_waits w
       LEFT JOIN external_events e ON e.event_id = w.event_id
      WHERE w.conversation_id = $1
      ORDER BY e.created_at, e.ordinal`,
    [conversationId],
  );
  const waits = new Map<string, OpenWait>();
  for (const row of rows) if (row.settled_at === null) waits.set(row.event_id, readWait(row));
  return { hasIds: rows.length > 0, waits: [...waits.values()], received: rows.flatMap(readReceived) };
}

/** A wait of a project that an event can still end. */
export type ListedWait = Pick<OpenWait, 'eventId' | 'name'> & {
  readonly conversationId: string;
  readonly expiresAtMs: number;
};

/** The open waits of a project, the latest first. */
export async function listOpenWaits(
  sql: Sql,
  projectId: string,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<readonly ListedWait[]> {
  const { eventId, conversationId, name, expiresAt, settledAt, createdAt } = externalWaits;
  return await queryBuilder(sql)
    .select({ eventId, conversationId, name, expiresAtMs: expiresAt })
    .from(externalWaits)
    .where(and(eq(externalWaits.projectId, projectId), isNull(settledAt), gt(expiresAt, nowMs)))
    .orderBy(desc(createdAt))
    .limit(limit);
}

/** Runs in the commit that stores the first part of the answer to an event, so that it is not answered twice. */
export async function markWaitBegun(sql: Sql, { eventId, round }: WaitRound, nowMs: number): Promise<void> {
  await sql.query('UPDATE external_waits SET begun_at = $3 WHERE event_id = $1 AND round = $2', [
    eventId,
    round,
    nowMs,
  ]);
}

/** Runs in the commit that ends the turn in which the agent was notified. */
export async function settleWait(sql: Sql, { eventId, round }: WaitRound, nowMs: number): Promise<void> {
  await sql.query('UPDATE external_waits SET settled_at = $3 WHERE event_id = $1 AND round = $2', [
    eventId,
    round,
    nowMs,
  ]);
}

/** Runs in the commit that ends a conversation. */
export async function settleAllWaits(sql: Sql, conversationId: string, nowMs: number): Promise<void> {
  await sql.query(
    'UPDATE external_waits SET settled_at = $2 WHERE conversation_id = $1 AND settled_at IS NULL',
    [conversationId, nowMs],
  );
}

/** One wait for an id. */
export type WaitRound = Pick<OpenWait, 'eventId' | 'round'>;

/**
 * Open sessions whose agent must be notified of an event or a timeout, and that `node` owns or may claim; all of them,
 * or the given one. `except` skips sessions that are retried later.
 */
export async function listSessionsToNotify(
  sql: Sql,
  node: string,
  nowMs: number,
  {
    sessionId,
    limit = 100,
    except = [],
  }: {
    readonly sessionId?: string | undefined;
    readonly limit?: number;
    readonly except?: readonly string[];
  } = {},
): Promise<readonly string[]> {
  const rows = await sql.query<{ session_id: string }>(
    `SELECT DISTINCT w.session_id
       FROM external_waits w
       JOIN sessions s ON s.id = w.session_id
      WHERE w.settled_at IS NULL
        AND ($3::uuid IS NULL OR w.session_id = $3)
        AND s.ended_at IS NULL
        AND s.id <> ALL($5::uuid[])
        -- While a person answers, the agent is told nothing; it is when it comes back.
        AND s.state NOT IN ('handoff', 'live')
        AND (s.owner_node = $1 OR NOT ${HAS_LIVE_OWNER})
        AND (w.due_at <= $2
             OR EXISTS (SELECT 1 FROM external_events e WHERE e.event_id = w.event_id AND e.ordinal > w.told_until))
      LIMIT $4`,
    [node, nowMs, sessionId ?? null, limit, except],
  );
  return rows.map(({ session_id }) => session_id);
}

function readWait(row: StateRow): OpenWait {
  return {
    eventId: row.event_id,
    name: row.name,
    round: row.round,
    dueAtMs: row.due_at,
    deliveredUpTo: row.told_until,
    isBegun: row.begun_at !== null,
  };
}

function readReceived(row: StateRow): readonly ReceivedEvent[] {
  if (row.ordinal === null || row.created_at === null || row.content_type === null) return [];
  return [
    {
      name: row.name,
      id: row.event_id,
      ordinal: row.ordinal,
      createdAt: new Date(row.created_at).toISOString(),
      contentType: row.content_type,
      data: row.data,
      sendToLlm: row.send_to_llm,
    },
  ];
}
