import { randomUUID } from 'node:crypto';
import type { WebhookEventType } from '@natter/sdk';
import {
  and,
  arrayContains,
  asc,
  desc,
  eq,
  sql as fragment,
  getTableColumns,
  inArray,
  isNull,
  lt,
  lte,
  notInArray,
  or,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { accounts, queryBuilder, type Sql, webhookDeliveries, webhookEndpoints } from '../../db/index.ts';

/** A delivery whose next attempt this process will make. */
export type ClaimedDelivery = {
  /** Event id of WD-3: the same in all attempts. */
  readonly id: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** The node that makes the attempt. */
  readonly node: string;
  readonly eventType: WebhookEventType;
  readonly body: string;
  readonly endpoint: {
    readonly id: string;
    readonly accountId: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly timeoutMs: number;
    /** Encrypted. */
    readonly secret: string;
  };
};

/** State of a delivery after an attempt. */
export type DeliveryOutcome =
  | { readonly state: 'delivered' | 'dead'; readonly outcome: string }
  | { readonly state: 'pending'; readonly outcome: string; readonly dueAtMs: number };

/** A delivery as shown to the operator. */
export type ListedDelivery = {
  readonly id: string;
  /** Slug of the endpoint's account. */
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

// Twice the longest timeout of an endpoint (30 s). After that the attempt's process must be gone.
const CLAIM_MS = 60_000;
// Three times the attempts of one delivery; a delivery that is sent repeatedly keeps the latest.
const ATTEMPTS_LISTED = 18;

/**
 * Queues one delivery for each enabled endpoint of the account that lists the type. Run it in the transaction that
 * stores the reported state, so that both are stored or neither. The endpoints are locked until then, so that an
 * endpoint being disabled gets no delivery or drops it again. Resolves with the number of older deliveries that were
 * dropped, because a thousand were waiting for their endpoint. Source: WD-1, WD-9, WD-11.
 */
export async function queueDeliveries(
  sql: Sql,
  accountId: string,
  event: { readonly type: WebhookEventType; readonly body: string },
  nowMs: number,
): Promise<number> {
  const build = queryBuilder(sql);
  const { id, accountId: owner, isEnabled, eventTypes } = webhookEndpoints;
  const endpoints = await build
    .select({ id })
    .from(webhookEndpoints)
    .where(and(eq(owner, accountId), isEnabled, arrayContains(eventTypes, [event.type])))
    .for('share');
  if (endpoints.length === 0) return 0;
  let dropped = 0;
  for (const endpoint of endpoints) dropped += await dropExcess(sql, endpoint.id, nowMs);
  await build.insert(webhookDeliveries).values(
    endpoints.map((endpoint) => ({
      id: randomUUID(),
      endpointId: endpoint.id,
      eventType: event.type,
      body: event.body,
      state: 'pending' as const,
      attempts: 0,
      dueAt: nowMs,
      createdAt: nowMs,
    })),
  );
  return dropped;
}

// Per endpoint. For an endpoint that is down for days, the latest events are the most useful.
const MAX_WAITING = 1_000;

/** Drops the oldest deliveries of an endpoint that has reached its limit. */
async function dropExcess(sql: Sql, endpointId: string, nowMs: number): Promise<number> {
  const dropped = await sql.query(
    `UPDATE webhook_deliveries SET state = 'dropped', last_outcome = 'too many wait', finished_at = $2
      WHERE id IN (SELECT id FROM webhook_deliveries
                    WHERE endpoint_id = $1 AND state = 'pending'
                    ORDER BY created_at DESC, id OFFSET ${MAX_WAITING - 1} FOR UPDATE SKIP LOCKED)
      RETURNING id`,
    [endpointId, nowMs],
  );
  return dropped.length;
}

/** Limits of a node's claims. */
export type ClaimLimits = {
  /** In total. */
  readonly total: number;
  /** Per account. */
  readonly perAccount: number;
  /** Accounts to skip. Default: none. */
  readonly without?: readonly string[];
};

/**
 * Claims due deliveries within `limits`, longest overdue first, so that no other node makes the same attempt. Reads the
 * endpoint now, so that the attempt uses its current address, headers and secret. Source: WE-3, WD-9.
 */
export async function claimDeliveries(
  sql: Sql,
  node: string,
  nowMs: number,
  { total, perAccount, without = [] }: ClaimLimits,
): Promise<readonly ClaimedDelivery[]> {
  const build = queryBuilder(sql);
  const queued = alias(webhookDeliveries, 'queued');
  const open = alias(webhookEndpoints, 'open');
  const isDue = and(
    eq(queued.state, 'pending'),
    lte(queued.dueAt, nowMs),
    or(isNull(queued.claimedUntil), lte(queued.claimedUntil, nowMs)),
  );
  // A statement that ranks rows cannot lock them, so the outer statement does.
  const ranked = build
    .select({
      id: queued.id,
      place: fragment<number>`row_number() OVER (PARTITION BY ${open.accountId} ORDER BY ${queued.dueAt})`.as(
        'place',
      ),
    })
    .from(queued)
    .innerJoin(open, and(eq(open.id, queued.endpointId), open.isEnabled))
    .where(and(isDue, notInArray(open.accountId, [...without])))
    .as('ranked');
  const due = build
    .select({ id: queued.id })
    .from(queued)
    .where(
      and(
        isDue,
        inArray(queued.id, build.select({ id: ranked.id }).from(ranked).where(lte(ranked.place, perAccount))),
      ),
    )
    .orderBy(asc(queued.dueAt))
    .limit(total)
    .for('update', { skipLocked: true });
  const rows = await build
    .update(webhookDeliveries)
    .set({ claimedBy: node, claimedUntil: nowMs + CLAIM_MS })
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.id, webhookDeliveries.endpointId),
        webhookEndpoints.isEnabled,
        inArray(webhookDeliveries.id, due),
      ),
    )
    .returning({ delivery: webhookDeliveries, endpoint: webhookEndpoints });
  return rows.map(({ delivery, endpoint }) => ({
    id: delivery.id,
    attempt: delivery.attempts + 1,
    node,
    eventType: delivery.eventType,
    body: delivery.body,
    endpoint: {
      id: endpoint.id,
      accountId: endpoint.accountId,
      url: endpoint.url,
      headers: endpoint.headers,
      timeoutMs: endpoint.timeoutMs,
      secret: endpoint.secret,
    },
  }));
}

/**
 * Stores an attempt's outcome. Has no effect on a delivery that was dropped or removed during the attempt, or claimed
 * by another node because this one was suspended: that node repeats it under the same event id.
 */
export async function settleDelivery(
  sql: Sql,
  { id, attempt, node }: Pick<ClaimedDelivery, 'id' | 'attempt' | 'node'>,
  result: DeliveryOutcome,
  { startedAtMs, nowMs }: { readonly startedAtMs: number; readonly nowMs: number },
): Promise<void> {
  const { state, outcome } = result;
  const { history } = webhookDeliveries;
  const entry = JSON.stringify([{ at: startedAtMs, ms: nowMs - startedAtMs, outcome }]);
  const kept = fragment`CASE WHEN jsonb_array_length(${history}) < ${ATTEMPTS_LISTED} THEN ${history} ELSE ${history} - 0 END`;
  await queryBuilder(sql)
    .update(webhookDeliveries)
    .set({
      state,
      attempts: attempt,
      lastOutcome: outcome,
      history: fragment`${kept} || ${entry}::jsonb`,
      ...(result.state === 'pending' ? { dueAt: result.dueAtMs, finishedAt: null } : { finishedAt: nowMs }),
      claimedBy: null,
      claimedUntil: null,
    })
    .where(
      and(
        eq(webhookDeliveries.id, id),
        eq(webhookDeliveries.state, 'pending'),
        eq(webhookDeliveries.claimedBy, node),
      ),
    );
}

/** Releases the claims of a dead node, so that its attempts are repeated under the same event ids. */
export async function releaseClaims(sql: Sql, node: string): Promise<void> {
  await queryBuilder(sql)
    .update(webhookDeliveries)
    .set({ claimedBy: null, claimedUntil: null })
    .where(and(eq(webhookDeliveries.claimedBy, node), eq(webhookDeliveries.state, 'pending')));
}

/** Earliest time of the next attempt, except for some accounts; null: nothing is pending. */
export async function nextDeliveryAtMs(sql: Sql, without: readonly string[] = []): Promise<number | null> {
  const { dueAt, claimedUntil, endpointId, state } = webhookDeliveries;
  const [row] = await queryBuilder(sql)
    .select({ at: fragment<number | null>`min(greatest(${dueAt}, coalesce(${claimedUntil}, 0)))` })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, and(eq(webhookEndpoints.id, endpointId), webhookEndpoints.isEnabled))
    .where(and(eq(state, 'pending'), notInArray(webhookEndpoints.accountId, [...without])));
  return row?.at ?? null;
}

/** Removes up to `limit` deliveries finished before a given time, and returns their number. */
export async function removeDeliveriesFinishedBefore(
  sql: Sql,
  beforeMs: number,
  limit: number,
): Promise<number> {
  const build = queryBuilder(sql);
  const { id, finishedAt } = webhookDeliveries;
  const old = build
    .select({ id })
    .from(webhookDeliveries)
    .where(lt(finishedAt, beforeMs))
    .limit(limit)
    .for('update', { skipLocked: true });
  return (await build.delete(webhookDeliveries).where(inArray(id, old)).returning({ id })).length;
}

/** Deliveries in a state, or all, newest first. */
export async function listDeliveries(
  sql: Sql,
  state: ListedDelivery['state'] | null,
  limit: number,
): Promise<readonly ListedDelivery[]> {
  const { dueAt, createdAt, finishedAt, ...delivery } = getTableColumns(webhookDeliveries);
  return await queryBuilder(sql)
    .select({
      id: delivery.id,
      account: accounts.slug,
      endpointId: delivery.endpointId,
      endpointName: webhookEndpoints.name,
      eventType: delivery.eventType,
      state: delivery.state,
      attempts: delivery.attempts,
      lastOutcome: delivery.lastOutcome,
      dueAtMs: dueAt,
      createdAtMs: createdAt,
      finishedAtMs: finishedAt,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, delivery.endpointId))
    .innerJoin(accounts, eq(accounts.id, webhookEndpoints.accountId))
    .where(state === null ? undefined : eq(delivery.state, state))
    .orderBy(desc(createdAt), asc(delivery.id))
    .limit(limit);
}

/** Restarts a dead delivery with six attempts; false: there is no such dead delivery. */
export async function retryDeadDelivery(sql: Sql, id: string, nowMs: number): Promise<boolean> {
  const rows = await queryBuilder(sql)
    .update(webhookDeliveries)
    .set({ state: 'pending', attempts: 0, dueAt: nowMs, finishedAt: null })
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.state, 'dead')))
    .returning({ id: webhookDeliveries.id });
  return rows.length > 0;
}
