import { AccountError } from '../accounts/account-error.ts';
import type { Sql } from '../db/index.ts';

/** E.164. */
export const E164: RegExp = /^\+[1-9]\d{1,14}$/;

/** What the integrator gave with a reservation. */
export type Attributes = Readonly<Record<string, unknown>>;

/** A call to a number: whose it is, and what was reserved with it; null attributes for a call without reservation. */
export type IncomingCall = { readonly projectId: string; readonly attributes: Attributes | null };

/**
 * Makes these numbers the pool of a project. Reservations of numbers that stay last on; those of others are gone.
 *
 * Fails with an `AccountError` when a number is in another project's pool.
 */
export async function setNumberPool(sql: Sql, projectId: string, numbers: readonly string[]): Promise<void> {
  await sql.query('DELETE FROM phone_numbers WHERE project_id = $1 AND number <> ALL($2::text[])', [
    projectId,
    numbers,
  ]);
  await sql.query(
    `INSERT INTO phone_numbers (number, project_id)
     SELECT DISTINCT number, $1 FROM unnest($2::text[]) AS t (number) ON CONFLICT (number) DO NOTHING`,
    [projectId, numbers],
  );
  const [taken] = await sql.query<{ number: string }>(
    'SELECT number FROM phone_numbers WHERE number = ANY($2::text[]) AND project_id <> $1 ORDER BY number',
    [projectId, numbers],
  );
  if (taken !== undefined)
    throw new AccountError('exists', `The number ${taken.number} is in the pool of another project.`);
}

/**
 * Reserves the number that has been free for longest, so that a late call to an expired reservation seldom gets
 * somebody else's attributes. Null: all are taken. Source: DN-2, DN-3.
 */
export async function reserveNumber(
  sql: Sql,
  projectId: string,
  attributes: Attributes,
  { nowMs, untilMs }: { readonly nowMs: number; readonly untilMs: number },
): Promise<string | null> {
  const [row] = await sql.query<{ number: string }>(
    `WITH free AS MATERIALIZED (
       SELECT number FROM phone_numbers
        WHERE project_id = $1 AND (reserved_until IS NULL OR reserved_until <= $2)
        ORDER BY last_used_at NULLS FIRST, number
        LIMIT 1
          FOR UPDATE SKIP LOCKED
     )
     UPDATE phone_numbers p
        SET reserved_until = $3, last_used_at = $3, attributes = $4::json
       FROM free
      WHERE p.number = free.number
     RETURNING p.number`,
    [projectId, nowMs, untilMs, JSON.stringify(attributes)],
  );
  return row?.number ?? null;
}

/** Takes the first call to a number, which ends its reservation. Null: nobody has the number. Source: DN-2, DN-4. */
export async function takeCall(sql: Sql, number: string, nowMs: number): Promise<IncomingCall | null> {
  const [row] = await sql.query<{ project_id: string; attributes: Attributes | null }>(
    `WITH called AS MATERIALIZED (
       SELECT number, project_id, CASE WHEN reserved_until > $2 THEN attributes END AS attributes
         FROM phone_numbers WHERE number = $1 FOR UPDATE
     ), freed AS (
       UPDATE phone_numbers p
          SET reserved_until = NULL, attributes = NULL,
              last_used_at = CASE WHEN p.reserved_until > $2 THEN $2 ELSE p.last_used_at END
         FROM called
        WHERE p.number = called.number
     )
     SELECT project_id, attributes FROM called`,
    [number, nowMs],
  );
  return row === undefined ? null : { projectId: row.project_id, attributes: row.attributes };
}
