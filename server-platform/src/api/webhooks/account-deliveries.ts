import { randomUUID } from 'node:crypto';
import type { WebhookEventType } from '@natter/sdk';
import { and, desc, eq, getTableColumns, inArray, lt, or } from 'drizzle-orm';
import {
  type Backlog,
  queryBuilder,
  readBacklog,
  type Sql,
  webhookDeliveries,
  webhookEndpoints,
} from '../../db/index.ts';

/** A delivery as shown to the account's staff. */
export interface AccountDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly endpointName: string;
  readonly eventType: WebhookEventType;
  readonly state: 'pending' | 'delivered' | 'dead' | 'dropped';
  readonly attempts: number;
  readonly lastOutcome: string | null;
  readonly dueAtMs: number;
  readonly createdAtMs: number;
  readonly finishedAtMs: number | null;
  readonly body: string;
  /** Oldest first. */
  readonly history: readonly { readonly at: number; readonly ms: number; readonly outcome: string }[];
}

/** Filter of listed deliveries. */
export interface DeliveryFilter {
  readonly endpointId?: string | undefined;
  readonly state?: AccountDelivery['state'] | undefined;
  /** The last delivery of the previous page. */
  readonly before?: { readonly createdAtMs: number; readonly id: string } | undefined;
  readonly limit: number;
}

const select = (sql: Sql) => {
  const {
    dueAt,
    createdAt,
    finishedAt,
    claimedBy: _,
    claimedUntil: __,
    ...delivery
  } = getTableColumns(webhookDeliveries);
  return queryBuilder(sql)
    .select({
      ...delivery,
      endpointName: webhookEndpoints.name,
      ...{ dueAtMs: dueAt, createdAtMs: createdAt, finishedAtMs: finishedAt },
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId));
};

/** Deliveries to the endpoints of an account, the newest first. */
export async function listAccountDeliveries(
  sql: Sql,
  accountId: string,
  { endpointId, state, before, limit }: DeliveryFilter,
): Promise<readonly AccountDelivery[]> {
  const { id, createdAt } = webhookDeliveries;
  return await select(sql)
    .where(
      and(
        eq(webhookEndpoints.accountId, accountId),
        endpointId === undefined ? undefined : eq(webhookDeliveries.endpointId, endpointId),
        state === undefined ? undefined : eq(webhookDeliveries.state, state),
        before &&
          or(lt(createdAt, before.createdAtMs), and(eq(createdAt, before.createdAtMs), lt(id, before.id))),
      ),
    )
    .orderBy(desc(createdAt), desc(id))
    .limit(limit);
}

/** One delivery to an endpoint of an account; null if there is none. */
export async function findAccountDelivery(
  sql: Sql,
  accountId: string,
  id: string,
): Promise<AccountDelivery | null> {
  const [row] = await select(sql).where(
    and(eq(webhookEndpoints.accountId, accountId), eq(webhookDeliveries.id, id)),
  );
  return row ?? null;
}

/**
 * Sends a finished delivery again, from its first attempt, under the same event id, so that receivers can recognise the
 * duplicate. False: it is not finished, or its endpoint is disabled.
 */
export async function resendDelivery(sql: Sql, id: string, nowMs: number): Promise<boolean> {
  const build = queryBuilder(sql);
  const open = build
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.isEnabled, true));
  const rows = await build
    .update(webhookDeliveries)
    .set({ state: 'pending', attempts: 0, dueAt: nowMs, finishedAt: null })
    .where(
      and(
        eq(webhookDeliveries.id, id),
        inArray(webhookDeliveries.state, ['delivered', 'dead', 'dropped']),
        inArray(webhookDeliveries.endpointId, open),
      ),
    )
    .returning({ id: webhookDeliveries.id });
  return rows.length > 0;
}

/** Queues an event for one endpoint, regardless of its listed types. Resolves with the delivery's id. */
export async function queueDelivery(
  sql: Sql,
  endpointId: string,
  event: { readonly type: WebhookEventType; readonly body: string },
  nowMs: number,
): Promise<string> {
  const id = randomUUID();
  await queryBuilder(sql)
    .insert(webhookDeliveries)
    .values({
      ...{ id, endpointId, eventType: event.type, body: event.body },
      ...{ state: 'pending' as const, attempts: 0, dueAt: nowMs, createdAt: nowMs },
    });
  return id;
}

/** The deliveries of an account that are still to be made. */
export async function readDeliveryBacklog(sql: Sql, accountId: string): Promise<Backlog> {
  const waiting = `SELECT d.created_at AS at FROM webhook_deliveries d
      JOIN webhook_endpoints e ON e.id = d.endpoint_id
     WHERE e.account_id = $1 AND d.state = 'pending'`;
  return await readBacklog(sql, waiting, [accountId]);
}
