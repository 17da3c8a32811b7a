import { DATABASE_NOW } from './database-clock.ts';
import type { Sql } from './sql.ts';

/** So many uses of a key in any window of that length. */
export interface RateLimit {
  readonly limit: number;
  readonly windowMs: number;
}

/** What became of the uses of one key. */
export interface GrantedUses {
  /** How many of them are within the limit: the first ones. */
  readonly granted: number;
  /** After how many milliseconds the next use is allowed; 0 or less: now. */
  readonly waitMs: number;
}

// The row is locked from here on, so nodes that count at once come one after the other. Uses that are refused do not count.
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

/** Counts uses of keys, each of which is named once, together with those that other nodes have counted. */
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

/** Removes what says nothing any more. */
export async function removeOldLimits(sql: Sql): Promise<void> {
  await sql.query(`DELETE FROM rate_limits WHERE kept_until < ${DATABASE_NOW}`);
}
