import type pg from 'pg';
import { DatabaseError, readOnlyError } from './database-error.ts';
import { readPostgresAddress } from './postgres-address.ts';

/** The servers of an address, one of which connections are made to at a time. */
export interface PostgresTargets {
  /** What a connection is to be opened with now. The same object until it is left. */
  readonly current: pg.ClientConfig;
  readonly count: number;
  /** Goes on to the next one, unless that was done already. */
  leave(target: pg.ClientConfig): void;
}

/** Reads an address. Fails with a `DatabaseError` that says what to correct. */
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

/** Rejects when the server of a connection takes no writes. */
export async function refuseReadOnly(client: pg.ClientBase): Promise<void> {
  // On a standby, too, it is on.
  const { rows } = await client.query<{ mode: string }>(
    `SELECT current_setting('transaction_read_only') AS mode`,
  );
  if (rows[0]?.mode !== 'off') throw readOnlyError();
}
