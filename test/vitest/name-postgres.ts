import { whyNoPostgres } from '../../server-platform/test/db/postgres-server.ts';

/** Says in one line why the contracts of the storage are skipped on PostgreSQL. */
export function setup(): void {
  if (whyNoPostgres !== null) {
    console.log(`The contracts of the storage are skipped on PostgreSQL: ${whyNoPostgres}.`);
  }
}
