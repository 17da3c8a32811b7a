import { desc, eq, or } from 'drizzle-orm';
import { accounts, isDatabaseError, queryBuilder, type Sql } from '../db/index.ts';
import { AccountError } from './account-error.ts';
import { checkId, checkName, checkSlug, newPrefixedId, readReference } from './reference.ts';

/** A customer of the platform. */
export type Account = {
  /** `ACCOUNT-…`; responses carry this form (C-4). */
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly createdAtMs: number;
};

/** Adds an account. Fails with an `AccountError` when the slug is taken. */
export async function addAccount(
  sql: Sql,
  account: { readonly slug: string; readonly name?: string | undefined; readonly id?: string | undefined },
  nowMs: number = Date.now(),
): Promise<Account> {
  const slug = checkSlug(account.slug);
  const id = account.id === undefined ? newPrefixedId('ACCOUNT') : checkId('ACCOUNT', account.id);
  try {
    const [row] = await queryBuilder(sql)
      .insert(accounts)
      .values({ id, slug, name: checkName(account.name ?? slug), createdAt: nowMs })
      .returning();
    if (row !== undefined) return readRow(row);
  } catch (error) {
    if (!isDatabaseError(error) || error.sqlState !== '23505') throw error;
  }
  throw new AccountError('exists', `There is already an account "${slug}".`);
}

/** Finds an account by slug, `ACCOUNT-…` or `ws-…`; null if there is none (C-4). */
export async function findAccount(sql: Sql, reference: string): Promise<Account | null> {
  const { id, slug } = readReference('ACCOUNT', reference);
  // No id or slug is empty.
  const isId = eq(accounts.id, id ?? '');
  const [row] = await queryBuilder(sql)
    .select()
    .from(accounts)
    .where(or(isId, eq(accounts.slug, slug ?? '')))
    .orderBy(desc(isId))
    .limit(1);
  return row === undefined ? null : readRow(row);
}

/** The account with an id, or null. */
export async function findAccountById(sql: Sql, id: string): Promise<Account | null> {
  const [row] = await queryBuilder(sql).select().from(accounts).where(eq(accounts.id, id));
  return row === undefined ? null : readRow(row);
}

/** All accounts by slug. */
export async function listAccounts(sql: Sql): Promise<readonly Account[]> {
  return (await queryBuilder(sql).select().from(accounts).orderBy(accounts.slug)).map(readRow);
}

/** Changes an account's display name. */
export async function renameAccount(sql: Sql, id: string, name: string): Promise<void> {
  await queryBuilder(sql)
    .update(accounts)
    .set({ name: checkName(name) })
    .where(eq(accounts.id, id));
}

/**
 * Locks the account's row until the transaction ends, so that two requests cannot both take the last of a limited
 * number of items.
 */
export async function lockAccount(sql: Sql, accountId: string): Promise<void> {
  await queryBuilder(sql)
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for('no key update');
}

function readRow({ createdAt, ...account }: typeof accounts.$inferSelect): Account {
  return { ...account, createdAtMs: createdAt };
}
