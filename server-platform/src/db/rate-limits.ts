import { DATABASE_NOW } from './database-clock.ts';
import type { Sql } from './sql.ts';

/** The allowed number of uses of a key in any window of a given length. */
export interface RateLimit {
  readonly limit: number;
  readonly windowMs: number;
}

/** Result of uses of one key. */
export interface GrantedUses {
  /** The number of first uses that are within the limit. */
  readonly granted: number;
  /** Milliseconds until the next use is allowed; 0 or less: now. */
  readonly waitMs: number;
}

// Locks the row, so that concurrent nodes count one after the other. Refused uses do not count.
const USE = `
INSERT INTO rate_limits AS r (key, times, granted, kept_until)
SELECT t.key, array_fill(n.at, ARRAY[least(t.wanted, $3::int)]), least(t.wanted, $3::int), n.at + $4::bigint
  FROM unnest($1::text[], $2::int[]) AS t (key, wanted), (SELECT ${DATABASE_NOW} AS at) n
 ORDER BY t.key
    ON CONFLICT (key) DO UPDATE
   SET (times, granted, kept_until) = (
     SELECT recent || EXCLUDED.times[1:fitting], fitting, EXCLUDED.kept_until
       FROM (
         SELECT coalesce(array_agg(at ORDER BY at), '{}') AS recent,
                least(EXCLUDED.granted, greatest($3::int - count(*), 0))::int AS fitting
           FROM unnest(r.times) AS at
          WHERE at > EXCLUDED.kept_until - 2 * $4::bigint
       ) before)
RETURNING key, granted, times[1] + $4::bigint - (kept_until - $4::bigint) AS wait`;

/** Counts uses of distinct keys together with those counted by other nodes. */
export async function useRateLimits(
  sql: Sql,
  uses: ReadonlyMap<string, number>,
  { limit, windowMs }: RateLimit,
): Promise<ReadonlyMap<string, GrantedUses>> {
  const rows = await sql.query<{ key: string; granted: number; wait: number }>(
    USE,
    [[...uses.keys()], [...uses.values()], limit, windowMs],
    { prepare: true },
  );
  return new Map(rows.map(({ key, granted, wait }) => [key, { granted, waitMs: wait }]));
}

/** Removes expired rows. */
export async function removeOldLimits(sql: Sql): Promise<void> {
  await sql.query(`DELETE FROM rate_limits WHERE kept_until < ${DATABASE_NOW}`);
}
