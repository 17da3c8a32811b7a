import type { Database } from '../db/index.ts';

/** Tables with a time of last use. */
export type CredentialTable = 'api_keys' | 'connectors';

const MINUTE_MS = 60_000;

/**
 * Records when keys and tokens were last used, and writes it periodically, so that finding a key needs no write. Times
 * are to the minute. A crash loses the times that are not written yet.
 */
export class CredentialUses {
  #uses: Record<CredentialTable, Map<string, number>> = { api_keys: new Map(), connectors: new Map() };

  /** Records a use of the key or token with this id. */
  note(table: CredentialTable, id: string, nowMs: number): void {
    this.#uses[table].set(id, nowMs - (nowMs % MINUTE_MS));
  }

  /** Writes the uses recorded since the last call. After a failure they are written the next time. */
  async write(database: Database): Promise<void> {
    for (const table of ['api_keys', 'connectors'] as const) {
      const uses = this.#uses[table];
      if (uses.size === 0) continue;
      this.#uses[table] = new Map();
      try {
        await database.query(WRITE[table], [[...uses.keys()], [...uses.values()]]);
      } catch (error) {
        this.#uses[table] = new Map([...uses, ...this.#uses[table]]);
        throw error;
      }
    }
  }
}

// Locks rows in the order of their ids, so that two nodes never deadlock.
const writeTo = (table: CredentialTable): string => `
  WITH used AS (SELECT * FROM unnest($1::uuid[], $2::bigint[]) AS used(id, at)),
  late AS (
    SELECT t.id FROM ${table} t JOIN used USING (id)
    WHERE t.last_used_at IS NULL OR t.last_used_at < used.at
    ORDER BY t.id FOR NO KEY UPDATE OF t
  )
  UPDATE ${table} t SET last_used_at = used.at FROM used JOIN late USING (id) WHERE t.id = used.id`;

const WRITE: Readonly<Record<CredentialTable, string>> = {
  api_keys: writeTo('api_keys'),
  connectors: writeTo('connectors'),
};
