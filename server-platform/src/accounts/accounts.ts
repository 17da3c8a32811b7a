import { isDatabaseError, type Sql } from '../db/index.ts';
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

type AccountRow = {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly created_at: number;
};

const COLUMNS = 'id, slug, name, created_at';

/** Adds an account. Fails with an `AccountError` when the slug is taken. */
export async function addAccount(
  sql: Sql,
  account: { readonly slug: string; readonly name?: string | undefined; readonly id?: string | undefined },
  nowMs: number = Date.now(),
): Promise<Account> {
  const slug = checkSlug(account.slug);
  const id = account.id === undefined ? newPrefixedId('ACCOUNT') : checkId('ACCOUNT', account.id);
  try {
    const [row] = await sql.query<AccountRow>(
      `INSERT INTO accounts (id, slug, name, created_at) VALUES ($1, $2, $3, $4) RETURNING ${COLUMNS}`,
      [id, slug, checkName(account.name ?? slug), nowMs],
    );
    if (row !== undefined) return readRow(row);
  } catch (error) {
    if (!isDatabaseError(error) || error.sqlState !== '23505') throw error;
  }
  throw new AccountError('exists', `There is an account "${slug}" already.`);
}

/** The account that a slug, `ACCOUNT-…` or `ws-…` names, or null (C-4). */
export async function findAccount(sql: Sql, reference: string): Promise<Account | null> {
  const { id, slug } = readReference('ACCOUNT', reference);
  const [row] = await sql.query<AccountRow>(
    `SELECT ${COLUMNS} FROM accounts WHERE id = $1 OR slug = $2 ORDER BY id = $1 DESC NULLS LAST LIMIT 1`,
    [id, slug],
  );
  return row === undefined ? null : readRow(row);
}

/** The account with an id, or null. */
export async function findAccountById(sql: Sql, id: string): Promise<Account | null> {
  const [row] = await sql.query<AccountRow>(`SELECT ${COLUMNS} FROM accounts WHERE id = $1`, [id]);
  return row === undefined ? null : readRow(row);
}

/** All accounts by slug. */
export async function listAccounts(sql: Sql): Promise<readonly Account[]> {
  return (await sql.query<AccountRow>(`SELECT ${COLUMNS} FROM accounts ORDER BY slug`)).map(readRow);
}

/** Changes an account's display name. */
export async function renameAccount(sql: Sql, id: string, name: string): Promise<void> {
  await sql.query('UPDATE accounts SET name = $2 WHERE id = $1', [id, checkName(name)]);
}

function readRow({ id, slug, name, created_at }: AccountRow): Account {
  return { id, slug, name, createdAtMs: created_at };
}
