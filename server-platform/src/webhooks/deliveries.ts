import type { WebhookEventType } from '@natter/sdk';
import type { Sql } from '../db/index.ts';

/** A delivery whose next attempt this process makes. */
export type ClaimedDelivery = {
  /** Event id of WD-3: the same in all attempts. */
  readonly id: string;
  /** The attempt to make, from 1. */
  readonly attempt: number;
  readonly eventType: WebhookEventType;
  readonly body: string;
  readonly endpoint: {
    readonly id: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly timeoutMs: number;
    /** Sealed. */
    readonly secret: string;
  };
};

/** What becomes of a delivery after an attempt. */
export type DeliveryFate =
  | { readonly state: 'delivered' | 'dead'; readonly outcome: string }
  | { readonly state: 'pending'; readonly outcome: string; readonly dueAtMs: number };

/** A delivery as the operator sees it. */
export type ListedDelivery = {
  readonly id: string;
  /** Slug of the account that the endpoint belongs to. */
  readonly account: string;
  readonly endpointId: string;
  readonly endpointName: string;
  readonly eventType: string;
  readonly state: 'pending' | 'delivered' | 'dead' | 'dropped';
  readonly attempts: number;
  readonly lastOutcome: string | null;
  readonly dueAtMs: number;
  readonly createdAtMs: number;
  readonly finishedAtMs: number | null;
};

// The longest time-out of an endpoint is 30 s. After this long, whoever made the attempt is gone.
const CLAIM_MS = 60_000;

/**
 * Queues one delivery for each enabled endpoint of the account that lists the type. Run it in the transaction that
 * stores what the event tells of: they exist together or not at all. The endpoints are held until then: one that is
 * being disabled either gets no delivery or drops it again. Source: WD-1, WD-9, WD-11.
 */
export async function queueDeliveries(
  sql: Sql,
  accountId: string,
  event: { readonly type: WebhookEventType; readonly body: string },
  nowMs: number,
): Promise<void> {
  await sql.query(
    `INSERT INTO webhook_deliveries (id, endpoint_id, event_type, body, state, attempts, due_at, created_at)
     SELECT gen_random_uuid(), id, $2, $3, 'pending', 0, $4, $4
       FROM webhook_endpoints WHERE account_id = $1 AND enabled AND $2 = ANY (event_types)
        FOR SHARE`,
    [accountId, event.type, event.body, nowMs],
  );
}

type ClaimedRow = {
  readonly id: string;
  readonly attempts: number;
  readonly event_type: WebhookEventType;
  readonly body: string;
  readonly endpoint_id: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout_ms: number;
  readonly secret: string;
};

/**
 * Takes up to `limit` deliveries that are due, for nobody else to make the same attempt meanwhile. The endpoint is read
 * now, so that the attempt has its present address, headers and secret. Source: WE-3, WD-9.
 */
export async function claimDeliveries(
  sql: Sql,
  node: string,
  nowMs: number,
  limit: number,
): Promise<readonly ClaimedDelivery[]> {
  const rows = await sql.query<ClaimedRow>(
    `UPDATE webhook_deliveries d
        SET claimed_by = $1, claimed_until = $2::bigint + ${CLAIM_MS}
       FROM webhook_endpoints e
      WHERE e.id = d.endpoint_id AND e.enabled
        AND d.id IN (SELECT q.id
                       FROM webhook_deliveries q
                       JOIN webhook_endpoints open ON open.id = q.endpoint_id AND open.enabled
                      WHERE q.state = 'pending' AND q.due_at <= $2
                        AND (q.claimed_until IS NULL OR q.claimed_until <= $2)
                      ORDER BY q.due_at LIMIT $3 FOR UPDATE OF q SKIP LOCKED)
     RETURNING d.id, d.attempts, d.event_type, d.body, e.id AS endpoint_id, e.url, e.headers, e.timeout_ms, e.secret`,
    [node, nowMs, limit],
  );
  return rows.map((row) => ({
    id: row.id,
    attempt: row.attempts + 1,
    eventType: row.event_type,
    body: row.body,
    endpoint: {
      id: row.endpoint_id,
      url: row.url,
      headers: row.headers,
      timeoutMs: row.timeout_ms,
      secret: row.secret,
    },
  }));
}

/**
 * Stores what became of an attempt. A delivery that was dropped or removed while the attempt was under way stays so.
 */
export async function settleDelivery(
  sql: Sql,
  { id, attempt }: Pick<ClaimedDelivery, 'id' | 'attempt'>,
  fate: DeliveryFate,
  nowMs: number,
): Promise<void> {
  const isPending = fate.state === 'pending';
  await sql.query(
    `UPDATE webhook_deliveries
        SET state = $2, attempts = $3, last_outcome = $4, due_at = coalesce($5, due_at), finished_at = $6,
            claimed_by = NULL, claimed_until = NULL
      WHERE id = $1 AND state = 'pending'`,
    [id, fate.state, attempt, fate.outcome, isPending ? fate.dueAtMs : null, isPending ? null : nowMs],
  );
}

/** Frees what a node held that is gone: its attempts are made again, under the same event ids. */
export async function releaseClaims(sql: Sql, node: string): Promise<void> {
  await sql.query(
    "UPDATE webhook_deliveries SET claimed_by = NULL, claimed_until = NULL WHERE claimed_by = $1 AND state = 'pending'",
    [node],
  );
}

/** When the next attempt can be made at the earliest; null: nothing is outstanding. */
export async function nextDeliveryAtMs(sql: Sql): Promise<number | null> {
  const [row] = await sql.query<{ at: number | null }>(
    `SELECT min(greatest(d.due_at, coalesce(d.claimed_until, 0))) AS at
       FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id AND e.enabled
      WHERE d.state = 'pending'`,
  );
  return row?.at ?? null;
}

/** Removes up to `limit` deliveries that came to their end before a point in time, and gives their number. */
export async function removeDeliveriesFinishedBefore(
  sql: Sql,
  beforeMs: number,
  limit: number,
): Promise<number> {
  const rows = await sql.query(
    `DELETE FROM webhook_deliveries
      WHERE id IN (SELECT id FROM webhook_deliveries WHERE finished_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
      RETURNING id`,
    [beforeMs, limit],
  );
  return rows.length;
}

type ListedRow = {
  readonly id: string;
  readonly slug: string;
  readonly endpoint_id: string;
  readonly name: string;
  readonly event_type: string;
  readonly state: ListedDelivery['state'];
  readonly attempts: number;
  readonly last_outcome: string | null;
  readonly due_at: number;
  readonly created_at: number;
  readonly finished_at: number | null;
};

/** Deliveries in a state, or all, newest first. */
export async function listDeliveries(
  sql: Sql,
  state: ListedDelivery['state'] | null,
  limit: number,
): Promise<readonly ListedDelivery[]> {
  const rows = await sql.query<ListedRow>(
    `SELECT d.id, a.slug, d.endpoint_id, e.name, d.event_type, d.state, d.attempts, d.last_outcome, d.due_at, d.created_at,
            d.finished_at
       FROM webhook_deliveries d
       JOIN webhook_endpoints e ON e.id = d.endpoint_id
       JOIN accounts a ON a.id = e.account_id
      WHERE $1::text IS NULL OR d.state = $1
      ORDER BY d.created_at DESC, d.id LIMIT $2`,
    [state, limit],
  );
  return rows.map((row) => ({
    id: row.id,
    account: row.slug,
    endpointId: row.endpoint_id,
    endpointName: row.name,
    eventType: row.event_type,
    state: row.state,
    attempts: row.attempts,
    lastOutcome: row.last_outcome,
    dueAtMs: row.due_at,
    createdAtMs: row.created_at,
    finishedAtMs: row.finished_at,
  }));
}

/** Gives a dead delivery its six attempts again, from now on; false: there is no such dead delivery. */
export async function retryDeadDelivery(sql: Sql, id: string, nowMs: number): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE webhook_deliveries SET state = 'pending', attempts = 0, due_at = $2, finished_at = NULL
      WHERE id = $1 AND state = 'dead' RETURNING id`,
    [id, nowMs],
  );
  return rows.length > 0;
}
