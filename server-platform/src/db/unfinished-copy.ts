import { DatabaseError } from './database-error.ts';
import type { Sql } from './sql.ts';

/** Table that exists in a database while another one is being copied into it. */
export const UNFINISHED_COPY = 'unfinished_copy';

/** Rejects with a `DatabaseError` when a copy into the database is incomplete. */
export async function refuseUnfinishedCopy(sql: Sql): Promise<void> {
  const [found] = await sql.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [
    UNFINISHED_COPY,
  ]);
  if (found?.there !== true) return;
  throw new DatabaseError(
    'rejected',
    'A copy from another database into this one is not finished. Run natter-platform migrate-to again to continue it.',
  );
}
