import type pg from 'pg';
import { DatabaseError, readOnlyError } from '../database-error.ts';
import { readPostgresAddress } from './postgres-address.ts';

/** The servers of an address; new connections go to the current one. */
export interface PostgresTargets {
  /** Configuration for new connections. The same object until `leave` is called. */
  readonly current: pg.ClientConfig;
  readonly count: number;
  /** Switches to the next server, unless that was done already. */
  leave(target: pg.ClientConfig): void;
}

/** Parses an address. Fails with a `DatabaseError` that says what to correct. */
export function openTargets(databaseUrl: string): PostgresTargets {
  const address = readPostgresAddress(databaseUrl);
  if (typeof address === 'string')
    throw new DatabaseError('rejected', `The address of the database ${address}.`);
  const configs = address.targets.map((target) => ({ ...address.config, ...target }));
  let index = 0;
  const current = (): pg.ClientConfig => configs[index % configs.length] ?? {};
  return {
    count: configs.length,
    get current() {
      return current();
    },
    leave(target) {
      if (target === current()) index += 1;
    },
  };
}

/** Rejects when a connection's server is read-only. */
export async function refuseReadOnly(client: pg.ClientBase): Promise<void> {
  // Also on for a standby.
  const { rows } = await client.query<{ mode: string }>(
    `SELECT current_setting('transaction_read_only') AS mode`,
  );
  if (rows[0]?.mode !== 'off') throw readOnlyError();
}
