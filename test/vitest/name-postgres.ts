import { whyNoPostgres } from '../../server-platform/test/db/postgres-server.ts';

/** Prints why the storage contracts are skipped on PostgreSQL. */
export function setup(): void {
  if (whyNoPostgres !== null) {
    console.log(`The contracts of the storage are skipped on PostgreSQL: ${whyNoPostgres}.`);
  }
}
