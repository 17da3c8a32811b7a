import { and, asc, eq, sql as fragment, gt, isNull, lte, ne, not, or } from 'drizzle-orm';
import { AccountError } from '../../accounts/index.ts';
import { phoneNumbers, queryBuilder, type Sql } from '../../db/index.ts';

/** E.164. */
export const E164: RegExp = /^\+[1-9]\d{1,14}$/;

// Each takes two parameters of its statement.
const INSERTED_AT_ONCE = 1_000;

/** Attributes that the integrator gave with a reservation. */
export type Attributes = Readonly<Record<string, unknown>>;

/** A call to a number: its project and the reserved attributes; `null` for a call without a reservation. */
export type IncomingCall = { readonly projectId: string; readonly attributes: Attributes | null };

/**
 * Replaces a project's pool with these numbers. Reservations of remaining numbers are kept; other numbers are deleted.
 *
 * Fails with an `AccountError` when a number is in another project's pool.
 */
export async function setNumberPool(sql: Sql, projectId: string, numbers: readonly string[]): Promise<void> {
  const build = queryBuilder(sql);
  const { number, projectId: owner } = phoneNumbers;
  // One array for all numbers, because a statement has at most 65,535 parameters.
  const isOfPool = fragment`${number} = ANY(${fragment.param(numbers)}::text[])`;
  await build.delete(phoneNumbers).where(and(eq(owner, projectId), not(isOfPool)));
  const entries = [...new Set(numbers)].map((each) => ({ number: each, projectId }));
  for (let from = 0; from < entries.length; from += INSERTED_AT_ONCE) {
    const some = entries.slice(from, from + INSERTED_AT_ONCE);
    await build.insert(phoneNumbers).values(some).onConflictDoNothing({ target: number });
  }
  const [taken] = await build
    .select({ number })
    .from(phoneNumbers)
    .where(and(isOfPool, ne(owner, projectId)))
    .orderBy(asc(number))
    .limit(1);
  if (taken !== undefined)
    throw new AccountError('exists', `The number ${taken.number} is in the pool of another project.`);
}

/**
 * Reserves the number that has been free longest, so that a late call to an expired reservation seldom gets another
 * visitor's attributes. Null: all are taken. Source: DN-2, DN-3.
 */
export async function reserveNumber(
  sql: Sql,
  projectId: string,
  attributes: Attributes,
  { nowMs, forSeconds }: { readonly nowMs: number; readonly forSeconds: number },
): Promise<string | null> {
  const untilMs = nowMs + forSeconds * 1000;
  return await sql.tx(async (tx) => {
    const build = queryBuilder(tx);
    const { number, reservedUntil, lastUsedAt } = phoneNumbers;
    const [free] = await build
      .select({ number })
      .from(phoneNumbers)
      .where(and(eq(phoneNumbers.projectId, projectId), or(isNull(reservedUntil), lte(reservedUntil, nowMs))))
      .orderBy(fragment`${lastUsedAt} NULLS FIRST`, asc(number))
      .limit(1)
      .for('update', { skipLocked: true });
    if (free === undefined) return null;
    await build
      .update(phoneNumbers)
      .set({ reservedUntil: untilMs, lastUsedAt: untilMs, attributes })
      .where(eq(number, free.number));
    return free.number;
  });
}

/** A project's pool. */
export type NumberPool = {
  readonly total: number;
  readonly reservedTotal: number;
  /** The first ones whose reservation runs out. */
  readonly reserved: readonly {
    readonly number: string;
    readonly untilMs: number;
    readonly attributes: Attributes;
  }[];
};

/** Counts a project's pool and lists `limit` of its reserved numbers. */
export async function readNumberPool(
  sql: Sql,
  projectId: string,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<NumberPool> {
  const build = queryBuilder(sql);
  const isOfPool = eq(phoneNumbers.projectId, projectId);
  const isReserved = and(isOfPool, gt(phoneNumbers.reservedUntil, nowMs));
  const rows = await build
    .select()
    .from(phoneNumbers)
    .where(isReserved)
    .orderBy(asc(phoneNumbers.reservedUntil))
    .limit(limit);
  return {
    total: await build.$count(phoneNumbers, isOfPool),
    reservedTotal: await build.$count(phoneNumbers, isReserved),
    reserved: rows.map(({ number, reservedUntil, attributes }) => ({
      ...{ number, attributes: attributes ?? {} },
      untilMs: reservedUntil ?? 0,
    })),
  };
}

/**
 * Handles the first call to a number, which ends its reservation. `null`: no project has the number. Source: DN-2,
 * DN-4.
 */
export async function acceptCall(sql: Sql, number: string, nowMs: number): Promise<IncomingCall | null> {
  return await sql.tx(async (tx) => {
    const build = queryBuilder(tx);
    const isCalled = eq(phoneNumbers.number, number);
    const [row] = await build.select().from(phoneNumbers).where(isCalled).for('update');
    if (row === undefined) return null;
    const isReserved = row.reservedUntil !== null && row.reservedUntil > nowMs;
    await build
      .update(phoneNumbers)
      .set({ reservedUntil: null, attributes: null, ...(isReserved && { lastUsedAt: nowMs }) })
      .where(isCalled);
    return { projectId: row.projectId, attributes: isReserved ? row.attributes : null };
  });
}
