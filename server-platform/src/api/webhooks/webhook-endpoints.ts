import { randomBytes } from 'node:crypto';
import type { WebhookEndpoint, WebhookEventType } from '@natter/sdk';
import { and, eq, sql as fragment, getTableColumns } from 'drizzle-orm';
import { lockAccount } from '../../accounts/index.ts';
import type { SecretVault } from '../../accounts/tokens/index.ts';
import { newRandomId } from '../../db/ids/index.ts';
import { queryBuilder, type Sql, webhookDeliveries, webhookEndpoints } from '../../db/index.ts';

/** Maximum endpoints per account. Source: WE-1. */
const MAX_WEBHOOK_ENDPOINTS = 10;

/** Fields that the endpoint's owner sets. */
export type WebhookEndpointFields = {
  readonly name: string;
  readonly url: string;
  readonly isEnabled: boolean;
  readonly eventTypes: readonly WebhookEventType[];
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
};

/** A stored endpoint without its secret. */
export type StoredWebhookEndpoint = WebhookEndpointFields & {
  readonly id: string;
  readonly accountId: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

/** An endpoint and its secret, which is not shown again. */
export type EndpointAndSecret = { readonly endpoint: StoredWebhookEndpoint; readonly secret: string };

const { secret: _, ...COLUMNS } = getTableColumns(webhookEndpoints);

/**
 * Adds an endpoint; null when the account has reached its limit. Run
 * it in a transaction. Source: WE-1, WE-2.
 */
export async function addWebhookEndpoint(
  sql: Sql,
  vault: SecretVault,
  accountId: string,
  fields: WebhookEndpointFields,
  nowMs: number,
): Promise<EndpointAndSecret | null> {
  const id = newRandomId('whe');
  const secret = newSigningSecret();
  const build = queryBuilder(sql);
  await lockAccount(sql, accountId);
  const count = await build.$count(webhookEndpoints, eq(webhookEndpoints.accountId, accountId));
  if (count >= MAX_WEBHOOK_ENDPOINTS) return null;
  const { name, url, isEnabled, eventTypes, headers, timeoutMs } = fields;
  const [row] = await build
    .insert(webhookEndpoints)
    .values({
      id,
      accountId,
      ...{ name, url, isEnabled, eventTypes: [...eventTypes], headers, timeoutMs },
      secret: vault.seal(secret, id),
      createdAt: nowMs,
      updatedAt: nowMs,
    })
    .returning(COLUMNS);
  return row === undefined ? null : { endpoint: readRow(row), secret };
}

/** Endpoints of an account by creation time. */
export async function listWebhookEndpoints(
  sql: Sql,
  accountId: string,
  filter: {
    readonly isEnabled?: boolean | undefined;
    readonly eventType?: WebhookEventType | undefined;
  } = {},
): Promise<readonly StoredWebhookEndpoint[]> {
  const { isEnabled, eventType } = filter;
  const rows = await queryBuilder(sql)
    .select(COLUMNS)
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.accountId, accountId),
        isEnabled === undefined ? undefined : eq(webhookEndpoints.isEnabled, isEnabled),
        eventType && fragment`${eventType} = ANY (${webhookEndpoints.eventTypes})`,
      ),
    )
    .orderBy(webhookEndpoints.createdAt, webhookEndpoints.id);
  return rows.map(readRow);
}

/** Finds an endpoint of an account; null if there is none. */
export async function findWebhookEndpoint(
  sql: Sql,
  accountId: string,
  id: string,
): Promise<StoredWebhookEndpoint | null> {
  const [row] = await queryBuilder(sql)
    .select(COLUMNS)
    .from(webhookEndpoints)
    .where(isEndpoint(accountId, id));
  return row === undefined ? null : readRow(row);
}

/**
 * Changes the given fields; null: the account has no such endpoint. Disabling drops pending attempts. Run it in a
 * transaction. Source: WD-9.
 */
export async function changeWebhookEndpoint(
  sql: Sql,
  accountId: string,
  id: string,
  changes: { readonly [Field in keyof WebhookEndpointFields]?: WebhookEndpointFields[Field] | undefined },
  nowMs: number,
): Promise<StoredWebhookEndpoint | null> {
  const { name, url, isEnabled, eventTypes, headers, timeoutMs } = changes;
  const build = queryBuilder(sql);
  const [row] = await build
    .update(webhookEndpoints)
    .set({
      ...(name !== undefined && { name }),
      ...(url !== undefined && { url }),
      ...(isEnabled !== undefined && { isEnabled }),
      ...(eventTypes !== undefined && { eventTypes: [...eventTypes] }),
      ...(headers !== undefined && { headers }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      updatedAt: nowMs,
    })
    .where(isEndpoint(accountId, id))
    .returning(COLUMNS);
  if (row === undefined) return null;
  if (!row.isEnabled) {
    await build
      .update(webhookDeliveries)
      .set({
        state: 'dropped',
        lastOutcome: 'endpoint disabled',
        finishedAt: nowMs,
        claimedBy: null,
        claimedUntil: null,
      })
      .where(and(eq(webhookDeliveries.endpointId, id), eq(webhookDeliveries.state, 'pending')));
  }
  return readRow(row);
}

/** Removes an endpoint with its deliveries and resolves with it; null: the account has no such endpoint. */
export async function removeWebhookEndpoint(
  sql: Sql,
  accountId: string,
  id: string,
): Promise<StoredWebhookEndpoint | null> {
  const [row] = await queryBuilder(sql)
    .delete(webhookEndpoints)
    .where(isEndpoint(accountId, id))
    .returning(COLUMNS);
  return row === undefined ? null : readRow(row);
}

/**
 * Replaces the secret immediately; null: no such endpoint. Source: WE-3.
 */
export async function rotateWebhookSecret(
  sql: Sql,
  vault: SecretVault,
  accountId: string,
  id: string,
  nowMs: number,
): Promise<EndpointAndSecret | null> {
  const secret = newSigningSecret();
  const [row] = await queryBuilder(sql)
    .update(webhookEndpoints)
    .set({ secret: vault.seal(secret, id), updatedAt: nowMs })
    .where(isEndpoint(accountId, id))
    .returning(COLUMNS);
  return row === undefined ? null : { endpoint: readRow(row), secret };
}

const isEndpoint = (accountId: string, id: string) =>
  and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.accountId, accountId));

/** `whs_` and 43 base64url characters. Source: WE-2. */
function newSigningSecret(): string {
  return `whs_${randomBytes(32).toString('base64url')}`;
}

/** Formats an endpoint for a response. Source: section 11. */
export function writeWebhookEndpoint(endpoint: StoredWebhookEndpoint): WebhookEndpoint {
  const writeTime = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, 19)}Z`;
  return {
    id: endpoint.id,
    name: endpoint.name,
    url: endpoint.url,
    enabled: endpoint.isEnabled,
    event_types: endpoint.eventTypes,
    headers: endpoint.headers,
    timeout_ms: endpoint.timeoutMs,
    created_at: writeTime(endpoint.createdAtMs),
    updated_at: writeTime(endpoint.updatedAtMs),
  };
}

function readRow(row: Omit<typeof webhookEndpoints.$inferSelect, 'secret'>): StoredWebhookEndpoint {
  const { createdAt, updatedAt, ...endpoint } = row;
  return { ...endpoint, createdAtMs: createdAt, updatedAtMs: updatedAt };
}
