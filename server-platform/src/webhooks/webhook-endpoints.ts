import { randomBytes } from 'node:crypto';
import type { WebhookEndpoint, WebhookEventType } from '@natter/sdk';
import type { SecretVault } from '../auth/secret-vault.ts';
import type { Sql } from '../db/index.ts';
import { newRandomId } from '../random-id.ts';

/** Endpoints of one account. Source: WE-1. */
const MAX_WEBHOOK_ENDPOINTS = 10;

/** What an endpoint's owner decides. */
export type WebhookEndpointFields = {
  readonly name: string;
  readonly url: string;
  readonly isEnabled: boolean;
  readonly eventTypes: readonly WebhookEventType[];
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
};

/** An endpoint as it is stored, without its secret. */
export type StoredWebhookEndpoint = WebhookEndpointFields & {
  readonly id: string;
  readonly accountId: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

type EndpointRow = {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly event_types: readonly WebhookEventType[];
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout_ms: number;
  readonly created_at: number;
  readonly updated_at: number;
};

const COLUMNS =
  'id, account_id, name, url, enabled, event_types, headers, timeout_ms, created_at, updated_at';

/**
 * Adds an endpoint and gives the only sight of its secret; null when the account has as many as it may. Run it in a
 * transaction: it holds the account's row, so that two requests cannot both take the last place. Source: WE-1, WE-2.
 */
export async function addWebhookEndpoint(
  sql: Sql,
  vault: SecretVault,
  accountId: string,
  fields: WebhookEndpointFields,
  nowMs: number,
): Promise<{ readonly endpoint: StoredWebhookEndpoint; readonly secret: string } | null> {
  const id = newRandomId('whe');
  const secret = newSigningSecret();
  await sql.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
  const [row] = await sql.query<EndpointRow>(
    `INSERT INTO webhook_endpoints (id, account_id, name, url, enabled, event_types, headers, timeout_ms, secret,
                                    created_at, updated_at)
     SELECT $1, $2, $3, $4, $5, $6::text[], $7::json, $8, $9, $10, $10
      WHERE (SELECT count(*) FROM webhook_endpoints WHERE account_id = $2) < $11
     RETURNING ${COLUMNS}`,
    [
      id,
      accountId,
      fields.name,
      fields.url,
      fields.isEnabled,
      fields.eventTypes,
      JSON.stringify(fields.headers),
      fields.timeoutMs,
      vault.seal(secret, id),
      nowMs,
      MAX_WEBHOOK_ENDPOINTS,
    ],
  );
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
  const rows = await sql.query<EndpointRow>(
    `SELECT ${COLUMNS} FROM webhook_endpoints
      WHERE account_id = $1
        AND ($2::boolean IS NULL OR enabled = $2)
        AND ($3::text IS NULL OR $3 = ANY (event_types))
      ORDER BY created_at, id`,
    [accountId, filter.isEnabled ?? null, filter.eventType ?? null],
  );
  return rows.map(readRow);
}

/** One endpoint of an account, or null. */
export async function findWebhookEndpoint(
  sql: Sql,
  accountId: string,
  id: string,
): Promise<StoredWebhookEndpoint | null> {
  const [row] = await sql.query<EndpointRow>(
    `SELECT ${COLUMNS} FROM webhook_endpoints WHERE id = $1 AND account_id = $2`,
    [id, accountId],
  );
  return row === undefined ? null : readRow(row);
}

/**
 * Changes the given fields; null: the account has no such endpoint. Disabling drops the outstanding attempts. Run it in
 * a transaction. Source: WD-9.
 */
export async function changeWebhookEndpoint(
  sql: Sql,
  accountId: string,
  id: string,
  changes: { readonly [Field in keyof WebhookEndpointFields]?: WebhookEndpointFields[Field] | undefined },
  nowMs: number,
): Promise<StoredWebhookEndpoint | null> {
  const [row] = await sql.query<EndpointRow>(
    `UPDATE webhook_endpoints
        SET name = coalesce($3, name), url = coalesce($4, url), enabled = coalesce($5, enabled),
            event_types = coalesce($6::text[], event_types), headers = coalesce($7::json, headers),
            timeout_ms = coalesce($8, timeout_ms), updated_at = $9
      WHERE id = $1 AND account_id = $2
     RETURNING ${COLUMNS}`,
    [
      id,
      accountId,
      changes.name ?? null,
      changes.url ?? null,
      changes.isEnabled ?? null,
      changes.eventTypes ?? null,
      changes.headers === undefined ? null : JSON.stringify(changes.headers),
      changes.timeoutMs ?? null,
      nowMs,
    ],
  );
  if (row === undefined) return null;
  if (!row.enabled) {
    await sql.query(
      `UPDATE webhook_deliveries
          SET state = 'dropped', last_outcome = 'endpoint disabled', finished_at = $2, claimed_by = NULL,
              claimed_until = NULL
        WHERE endpoint_id = $1 AND state = 'pending'`,
      [id, nowMs],
    );
  }
  return readRow(row);
}

/** Removes an endpoint with its deliveries; false: the account has no such endpoint. */
export async function removeWebhookEndpoint(sql: Sql, accountId: string, id: string): Promise<boolean> {
  const rows = await sql.query(
    'DELETE FROM webhook_endpoints WHERE id = $1 AND account_id = $2 RETURNING id',
    [id, accountId],
  );
  return rows.length > 0;
}

/** Replaces the secret at once and gives the only sight of the new one; null: no such endpoint. Source: WE-3. */
export async function rotateWebhookSecret(
  sql: Sql,
  vault: SecretVault,
  accountId: string,
  id: string,
  nowMs: number,
): Promise<string | null> {
  const secret = newSigningSecret();
  const rows = await sql.query(
    'UPDATE webhook_endpoints SET secret = $3, updated_at = $4 WHERE id = $1 AND account_id = $2 RETURNING id',
    [id, accountId, vault.seal(secret, id), nowMs],
  );
  return rows.length > 0 ? secret : null;
}

/** `whs_` and 43 base64url characters. Source: WE-2. */
function newSigningSecret(): string {
  return `whs_${randomBytes(32).toString('base64url')}`;
}

/** An endpoint as it is returned. Source: section 11. */
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

function readRow(row: EndpointRow): StoredWebhookEndpoint {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    url: row.url,
    isEnabled: row.enabled,
    eventTypes: row.event_types,
    headers: row.headers,
    timeoutMs: row.timeout_ms,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
  };
}
