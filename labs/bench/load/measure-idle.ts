import type { Database } from '../../../server-platform/src/db/index.ts';
import { withServer } from '../servers/bench-server.ts';
import { readDescriptorLimit, WANTED_DESCRIPTORS } from '../servers/start-process.ts';
import { Clients } from './clients.ts';
import type { IdleFigures } from './figures.ts';

const AT_ONCE = 64;
// Of a process: its files, its connections to the database, its own pipes, and requests that have just ended.
const OTHER_DESCRIPTORS = 500;

/** The subject and place of the measurement. */
export type MeasureIdleOptions = {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly schema: string;
  readonly sockets: number;
};

/** Opens as many chats on one node as the system allows, at most `sockets`, and looks at the memory of the node. */
export async function measureIdle({
  database,
  databaseUrl,
  schema,
  sockets: wanted,
}: MeasureIdleOptions): Promise<IdleFigures> {
  const allowed = await readDescriptorLimit();
  const sockets = Math.min(wanted, allowed - OTHER_DESCRIPTORS);
  if (sockets < wanted)
    console.log(
      `A process may have ${allowed} files and sockets open here, so ${sockets} idle sockets are measured.`,
    );
  await database.query(`CREATE SCHEMA ${schema}`);
  const url = new URL(databaseUrl);
  url.searchParams.set('options', `-c search_path=${schema}`);
  const clients = new Clients(2);
  try {
    const bareBytesPerSocket = await measureBare(sockets);
    return await withServer(
      { kind: 'gateway', place: { databaseUrl: url.href } },
      async (port, _, memory) => {
        const before = await memory();
        const { done, failed, reason } = await clients.run({
          do: 'open',
          ports: [port],
          count: sockets,
          atOnce: AT_ONCE,
        });
        if (failed > 0) console.log(`${failed} chats could not be opened: ${reason}`);
        const after = await memory();
        return {
          sockets: done,
          refused: failed,
          bytesPerSocket: (after.residentBytes - before.residentBytes) / done,
          heapBytesPerSocket: (after.heapBytes - before.heapBytes) / done,
          residentBytes: after.residentBytes,
          baseBytes: before.residentBytes,
          bareBytesPerSocket,
          allowed,
          wanted: WANTED_DESCRIPTORS,
        };
      },
    );
  } finally {
    await clients.end();
    await database.query(`DROP SCHEMA ${schema} CASCADE`);
  }
}

/** The same number of sockets at an echo server. */
async function measureBare(sockets: number): Promise<number> {
  const clients = new Clients(2);
  try {
    return await withServer({ kind: 'bare' }, async (port, _, memory) => {
      const before = await memory();
      const { done } = await clients.run({ do: 'connect', port, count: sockets, atOnce: AT_ONCE });
      return ((await memory()).residentBytes - before.residentBytes) / done;
    });
  } finally {
    await clients.end();
  }
}
