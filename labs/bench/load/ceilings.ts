import pg from 'pg';
import type { WebSocket } from 'ws';
import type { Database } from '../../../server-platform/src/db/index.ts';
import { withServer } from '../servers/bench-server.ts';
import { createMessage, measureEchoes, openSocket, TEXT } from '../servers/echo-client.ts';
import type { LoadFigures } from './figures.ts';

type Ceilings = LoadFigures['ceilings'];

/** Size of the measurement. */
export type CeilingSizes = { readonly sockets: number; readonly seconds: number };

const AT_ONCE = 64;
const CONNECTIONS = 32;
const ROWS = 128;

/** The machine's capacity without a platform: a server that sends every frame back, and inserts into one table. */
export async function measureCeilings(
  database: Database,
  databaseUrl: string,
  schema: string,
  sizes: CeilingSizes,
): Promise<Ceilings> {
  const sockets = await measureBareSockets(sizes);
  await database.query(`CREATE SCHEMA ${schema}`);
  try {
    return { ...sockets, ...(await measureInserts(databaseUrl, schema, sizes)) };
  } finally {
    await database.query(`DROP SCHEMA ${schema} CASCADE`);
  }
}

type BareSockets = Pick<Ceilings, 'handshakesPerSecond' | 'echoesPerSecond'>;

function measureBareSockets({ sockets: count, seconds }: CeilingSizes): Promise<BareSockets> {
  return withServer({ kind: 'bare' }, async (port) => {
    const sockets: WebSocket[] = [];
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_worker, worker) => {
        for (let index = worker; index < count; index += AT_ONCE)
          sockets.push(await openSocket(`ws://127.0.0.1:${port}`));
      }),
    );
    const openedIn = (performance.now() - startedAt) / 1_000;
    const senders = sockets
      .slice(0, CONNECTIONS * 4)
      .map((ws) => ({ ws, frame: createMessage(), isEcho: () => true }));
    const { perSecond } = await measureEchoes(senders, { seconds, unanswered: 4 });
    for (const ws of sockets) ws.terminate();
    return {
      handshakesPerSecond: count / openedIn,
      echoesPerSecond: perSecond,
    };
  });
}

type Inserts = Pick<Ceilings, 'insertsPerSecond' | 'rowsPerSecond'>;

async function measureInserts(
  connectionString: string,
  schema: string,
  { seconds }: CeilingSizes,
): Promise<Inserts> {
  const pool = new pg.Pool({ connectionString, max: CONNECTIONS });
  const table = `${pg.escapeIdentifier(schema)}.ceiling`;
  await pool.query(
    `CREATE TABLE ${table} (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text NOT NULL)`,
  );
  const one = { name: 'one', text: `INSERT INTO ${table} (text) VALUES ($1)`, values: [TEXT] };
  const many = {
    name: 'many',
    text: `INSERT INTO ${table} (text) SELECT * FROM unnest($1::text[])`,
    values: [Array.from({ length: ROWS }, () => TEXT)],
  };
  try {
    return {
      insertsPerSecond: await repeat(CONNECTIONS, seconds, () => pool.query(one)),
      rowsPerSecond: ROWS * (await repeat(1, seconds, () => pool.query(many))),
    };
  } finally {
    await pool.end();
  }
}

/** Times per second, by so many at a time. */
async function repeat(atOnce: number, seconds: number, work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const startedAt = performance.now();
  const untilAt = startedAt + seconds * 1_000;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < untilAt) {
        await work();
        count += 1;
      }
    }),
  );
  return count / ((performance.now() - startedAt) / 1_000);
}
