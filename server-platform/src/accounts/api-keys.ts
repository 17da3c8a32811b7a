import { randomBytes, randomUUID } from 'node:crypto';
import type { Service } from '@natter/sdk';
import { and, eq, sql as fragment, isNotNull, isNull, or } from 'drizzle-orm';
import { apiKeys, isDatabaseError, queryBuilder, type Sql } from '../db/index.ts';
import { AccountError } from './account-error.ts';
import type { Account } from './accounts.ts';
import { checkPermissions, isKeyPermission, type KeyPermission, readPermissions } from './key-permissions.ts';
import type { Project } from './projects.ts';
import { checkName } from './reference.ts';
import { hashToken, hintOfToken, isSameHash } from './token-hash.ts';

/** An API key for the REST interface. Source: 1.5. */
export type ApiKey = {
  readonly id: string;
  readonly name: string;
  /** The account it covers; null: every account. */
  readonly accountId: string | null;
  /** The project (virtual agent) it covers; null: every project of the account. */
  readonly projectId: string | null;
  readonly service: Service;
  readonly permissions: readonly KeyPermission[];
  /** For conversations v1 and v2 only. */
  readonly isLegacy: boolean;
  /** The region it works in; null: any. */
  readonly region: string | null;
  /** Last four characters of the key. */
  readonly keyHint: string;
  readonly createdAtMs: number;
  /** When it expires; null: never. */
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** When another key replaced it under the same name; it works until it expires. Null: not rotated. */
  readonly replacedAtMs: number | null;
  /** To the minute, written up to a minute late. Null: not used since uses are recorded. */
  readonly lastUsedAtMs: number | null;
};

/** Fields of a new key. */
export type NewApiKey = {
  /** Unique among the account's keys that are not revoked. */
  readonly name: string;
  /** Null: every account. */
  readonly account: Account | null;
  readonly project?: Project | undefined;
  readonly permissions: readonly string[];
  readonly isLegacy?: boolean | undefined;
  readonly region?: string | null | undefined;
  readonly expiresAtMs?: number | null | undefined;
  /** A key to use instead of a new random one; for tests and migrations. */
  readonly key?: string | undefined;
};

// Recognisable, so that a leaked key can be found by a secret scanner.
const PREFIX = 'nak_';
const RANDOM_BYTES = 32;
const GIVEN = /^[\x21-\x7e]{20,256}$/;

/**
 * Adds a key and returns its text, which is not shown again, because the database only stores its hash.
 *
 * Fails with an `AccountError` for incompatible permissions, or for a name or key already in use.
 */
export async function addApiKey(
  sql: Sql,
  entry: NewApiKey,
  nowMs: number = Date.now(),
): Promise<{ readonly apiKey: ApiKey; readonly key: string }> {
  const { account, project, isLegacy = false } = entry;
  const name = checkName(entry.name);
  const permissions = readPermissions(entry.permissions);
  const scope = { accountId: account?.id ?? null, projectId: project?.id ?? null, isLegacy };
  const service = checkPermissions(permissions, scope);
  const key = entry.key === undefined ? newKey() : checkKey(entry.key);
  try {
    const [row] = await queryBuilder(sql)
      .insert(apiKeys)
      .values({
        id: randomUUID(),
        name,
        ...scope,
        service,
        permissions,
        region: entry.region ?? null,
        keyHash: hashToken(key),
        keyHint: hintOfToken(key),
        createdAt: nowMs,
        expiresAt: entry.expiresAtMs ?? null,
      })
      .returning();
    if (row !== undefined) return { apiKey: readRow(row), key };
  } catch (error) {
    throw explain(error, name);
  }
  throw new AccountError('not_found', `The key "${name}" was removed in the meantime.`);
}

/** Updates a key to match a configuration. Without a key text in `entry`, the key's text stays. */
export async function changeApiKey(sql: Sql, apiKey: ApiKey, entry: NewApiKey): Promise<void> {
  const { account, project, isLegacy = false, key } = entry;
  const permissions = readPermissions(entry.permissions);
  const scope = { accountId: account?.id ?? null, projectId: project?.id ?? null, isLegacy };
  const service = checkPermissions(permissions, scope);
  const text = key === undefined ? null : checkKey(key);
  try {
    await queryBuilder(sql)
      .update(apiKeys)
      .set({
        projectId: scope.projectId,
        service,
        permissions,
        isLegacy,
        region: entry.region ?? null,
        expiresAt: entry.expiresAtMs ?? null,
        ...(text !== null && { keyHash: hashToken(text), keyHint: hintOfToken(text) }),
      })
      .where(eq(apiKeys.id, apiKey.id));
  } catch (error) {
    throw explain(error, apiKey.name);
  }
}

/** Finds the keys with these texts, in order; null for unknown and revoked ones. Expired ones are included. */
export async function findApiKeys(sql: Sql, texts: readonly string[]): Promise<readonly (ApiKey | null)[]> {
  // Looked up by hash, like connectors, so that lookup times reveal nothing about a key.
  const hashes = texts.map(hashToken);
  const isOne = fragment`${apiKeys.keyHash} = ANY(${fragment.param([...new Set(hashes)])}::text[])`;
  const rows = await queryBuilder(sql)
    .select()
    .from(apiKeys)
    .where(and(isOne, isNull(apiKeys.revokedAt)))
    .prepare('api_keys_by_text')
    .execute();
  return hashes.map((hash) => {
    const row = rows.find(({ keyHash }) => isSameHash(keyHash, hash));
    return row === undefined ? null : readRow(row);
  });
}

/** Finds the key with this text; null if it is unknown, revoked or expired. */
export async function findApiKey(sql: Sql, text: string, nowMs: number): Promise<ApiKey | null> {
  const [key = null] = await findApiKeys(sql, [text]);
  return key === null || (key.expiresAtMs !== null && key.expiresAtMs <= nowMs) ? null : key;
}

/** Finds the account's key with a name that is neither revoked nor replaced; null if there is none. */
export async function findApiKeyByName(
  sql: Sql,
  account: Account | null,
  name: string,
): Promise<ApiKey | null> {
  const isOfAccount = account === null ? isNull(apiKeys.accountId) : eq(apiKeys.accountId, account.id);
  const [row] = await queryBuilder(sql)
    .select()
    .from(apiKeys)
    .where(and(isOfAccount, eq(apiKeys.name, name), isNull(apiKeys.revokedAt), isNull(apiKeys.replacedAt)));
  return row === undefined ? null : readRow(row);
}

/** Finds the account's key with this name and text if it was revoked or replaced; otherwise null. */
export async function findFormerApiKey(
  sql: Sql,
  account: Account | null,
  name: string,
  text: string,
): Promise<ApiKey | null> {
  const [row] = await queryBuilder(sql)
    .select()
    .from(apiKeys)
    .where(
      and(
        account === null ? isNull(apiKeys.accountId) : eq(apiKeys.accountId, account.id),
        eq(apiKeys.name, name),
        eq(apiKeys.keyHash, hashToken(text)),
        or(isNotNull(apiKeys.revokedAt), isNotNull(apiKeys.replacedAt)),
      ),
    );
  return row === undefined ? null : readRow(row);
}

/** The key with an id, revoked or not, or null. */
export async function findApiKeyById(sql: Sql, id: string): Promise<ApiKey | null> {
  const [row] = await queryBuilder(sql).select().from(apiKeys).where(eq(apiKeys.id, id));
  return row === undefined ? null : readRow(row);
}

/** Keys of an account, or all, the revoked ones last. */
export async function listApiKeys(sql: Sql, account?: Account): Promise<readonly ApiKey[]> {
  const isRevoked = fragment`${apiKeys.revokedAt} IS NOT NULL`;
  const isReplaced = fragment`${apiKeys.replacedAt} IS NOT NULL`;
  const rows = await queryBuilder(sql)
    .select()
    .from(apiKeys)
    .where(account && eq(apiKeys.accountId, account.id))
    .orderBy(isRevoked, apiKeys.accountId, apiKeys.name, isReplaced, apiKeys.createdAt);
  return rows.map(readRow);
}

/** Revokes a key: it no longer works. Returns whether it was in use. */
export async function revokeApiKey(sql: Sql, id: string, nowMs: number = Date.now()): Promise<boolean> {
  const rows = await queryBuilder(sql)
    .update(apiKeys)
    .set({ revokedAt: nowMs })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id });
  return rows.length > 0;
}

/**
 * Replaces a key with a new one of the same name and scope. The old key stays valid for `overlapMs`, at most until its
 * expiry; with 0 it becomes invalid at once.
 *
 * Fails with an `AccountError` when the key is revoked, replaced or expired.
 */
export async function rotateApiKey(
  database: Sql,
  apiKey: ApiKey,
  overlapMs: number,
  nowMs: number = Date.now(),
): Promise<{ readonly apiKey: ApiKey; readonly key: string; readonly previous: ApiKey }> {
  const endsAtMs = Math.min(nowMs + overlapMs, apiKey.expiresAtMs ?? Number.POSITIVE_INFINITY);
  const key = newKey();
  return await database.tx(async (sql) => {
    const build = queryBuilder(sql);
    const isCurrent = and(isNull(apiKeys.revokedAt), isNull(apiKeys.replacedAt));
    const [old] = await build
      .update(apiKeys)
      .set(overlapMs > 0 ? { replacedAt: nowMs, expiresAt: endsAtMs } : { revokedAt: nowMs })
      .where(and(eq(apiKeys.id, apiKey.id), isCurrent))
      .returning();
    if (old === undefined || endsAtMs < nowMs)
      throw new AccountError(
        'exists',
        `The key ${apiKey.name} no longer works: it is revoked, expired or replaced. Add another key.`,
      );
    const [row] = await build
      .insert(apiKeys)
      .values({
        ...old,
        id: randomUUID(),
        keyHash: hashToken(key),
        keyHint: hintOfToken(key),
        createdAt: nowMs,
        expiresAt: apiKey.expiresAtMs,
        ...{ revokedAt: null, replacedAt: null, lastUsedAt: null },
      })
      .returning();
    if (row === undefined) throw new TypeError('The statement returned no row.');
    return { apiKey: readRow(row), key, previous: readRow(old) };
  });
}

/** Makes a key of 256 random bits. */
function newKey(): string {
  return `${PREFIX}${randomBytes(RANDOM_BYTES).toString('base64url')}`;
}

/** Rejects a given key that is too short or invalid in a header. */
function checkKey(key: string): string {
  if (GIVEN.test(key)) return key;
  throw new AccountError('invalid', 'A key must have 20 to 256 printable characters without spaces.');
}

function explain(error: unknown, name: string): unknown {
  if (!isDatabaseError(error) || error.sqlState !== '23505') return error;
  return error.constraint === 'api_keys_key_hash_key'
    ? new AccountError('exists', `The key given for "${name}" belongs to another entry.`)
    : new AccountError('exists', `There is already a key "${name}".`);
}

function readRow(row: typeof apiKeys.$inferSelect): ApiKey {
  const { keyHash: _, permissions, createdAt, expiresAt, revokedAt, replacedAt, lastUsedAt, ...key } = row;
  return {
    ...key,
    // Ignores permissions stored by a newer release.
    permissions: permissions.filter(isKeyPermission),
    createdAtMs: createdAt,
    expiresAtMs: expiresAt,
    revokedAtMs: revokedAt,
    replacedAtMs: replacedAt,
    lastUsedAtMs: lastUsedAt,
  };
}
