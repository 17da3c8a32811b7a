import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FlakyLink, startFlakyLink } from '../../../../demo/link/flaky-link.ts';
import { REACHABLE_POSTGRES_URL } from '../../../test/db/postgres-server.ts';
import type { DatabaseError } from '../database-error.ts';
import { openDatabase } from '../open-database.ts';
import type { Database, Sql } from '../sql.ts';

// Unique to this test.
const SLEEP = `SELECT pg_sleep(600) AS "${randomUUID()}"`;
const SLEEPING = `FROM pg_stat_activity WHERE query = $1 AND state = 'active'`;

describe.skipIf(REACHABLE_POSTGRES_URL === undefined)('a pool of connections to PostgreSQL', () => {
  const { hostname: host, port } = new URL(REACHABLE_POSTGRES_URL ?? 'postgres://127.0.0.1:5432');
  const losses: DatabaseError[] = [];
  let link: FlakyLink;
  let database: Database;
  beforeEach(async () => {
    losses.length = 0;
    link = await startFlakyLink({ host, port: Number(port || '5432') });
    const url = new URL(REACHABLE_POSTGRES_URL ?? '');
    url.host = `127.0.0.1:${link.port}`;
    database = await openDatabase({
      databaseUrl: url.href,
      maxConnections: 1,
      onConnectionLost: (error) => losses.push(error),
    });
  });
  afterEach(async () => {
    await database.close({ timeoutMs: 0 });
    await link.close();
    // The server continues a statement whose client has disconnected, and meanwhile vacuum cannot remove dead rows.
    const other = await openDatabase({ databaseUrl: REACHABLE_POSTGRES_URL });
    await other.query(`SELECT pg_terminate_backend(pid) ${SLEEPING}`, [SLEEP]);
    await other.close();
  });

  it('makes the server end a transaction of a stalled process, and nothing else', async () => {
    const limitIn = async (sql: Sql): Promise<unknown> =>
      (
        await sql.query<{ limit: string }>(
          `SELECT current_setting('idle_in_transaction_session_timeout') AS limit`,
        )
      )[0]?.limit;
    const before = await limitIn(database);
    expect(await database.tx(limitIn)).toBe('10s');
    expect(await limitIn(database)).toBe(before);
  });

  it('reports a broken idle connection, and replaces it', async () => {
    link.drop();
    await expect.poll(() => losses.map(({ code }) => code)).toEqual(['unavailable']);
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('replaces a connection that breaks during a statement, which fails', async () => {
    const lost = expect(database.query(SLEEP)).rejects.toMatchObject({
      code: 'unavailable',
    });
    const other = await openDatabase({ databaseUrl: REACHABLE_POSTGRES_URL });
    await expect.poll(() => other.query(`SELECT 1 ${SLEEPING}`, [SLEEP])).not.toEqual([]);
    await other.close();
    link.drop();
    await lost;
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(losses).toEqual([]);
  });

  it("aborts running and waiting statements when the shutdown's time limit is over", async () => {
    const outcomes = Promise.allSettled([
      database.query(SLEEP),
      database.query('SELECT 1'),
      database.query('SELECT 2'),
    ]);
    await database.close({ timeoutMs: 50 });
    expect(await outcomes).toMatchObject(
      Array.from({ length: 3 }, () => ({ status: 'rejected', reason: { code: 'unavailable' } })),
    );
  });
});
