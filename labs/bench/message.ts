import { type Database, openDatabase } from '../../server-platform/src/db/index.ts';
import { type DatabaseCounters, readDatabaseCounters } from './databases/database-counters.ts';
import { type Usage, withServer } from './servers/bench-server.ts';
import { createMessage, measureEchoes, openSession } from './servers/echo-client.ts';

// What a stored and acknowledged message costs on PostgreSQL, with an agent that says nothing: statements (as many round
// trips, beginnings and ends of transactions included), commits, flushes and bytes of the write-ahead log, rows written,
// processor time of the platform, of its connections in the database (on this machine, on Linux) and of the clients. The
// other counters of the database are of the whole server, so nothing else may use it during the run.
const POSTGRES = process.env['DATABASE_URL_TEST'] ?? 'postgres://root@127.0.0.1:5432/test';
const SECONDS = Number(process.argv[2] ?? 4);
const LOADS = [
  { name: 'one at a time', sockets: 1, unanswered: 1 },
  { name: '128 connections with four unanswered each', sockets: 128, unanswered: 4 },
];

type Counters = Usage & DatabaseCounters & { readonly clientsMs: number };

const schema = `bench_cost_${process.pid}`;
const database = await openDatabase({ databaseUrl: POSTGRES }).catch(() => null);
if (database === null) {
  console.log('postgres not reachable, skipped (set DATABASE_URL_TEST)');
  process.exit();
}
await database.query(`CREATE SCHEMA ${schema}`);
try {
  const url = new URL(POSTGRES);
  url.searchParams.set('options', `-c search_path=${schema}`);
  url.searchParams.set('application_name', schema);
  for (const load of LOADS) await measure(database, load, url.href);
} finally {
  await database.query(`DROP SCHEMA ${schema} CASCADE`);
  await database.close();
}

async function measure(database: Database, load: (typeof LOADS)[number], databaseUrl: string): Promise<void> {
  await withServer({ kind: 'gateway', place: { databaseUrl } }, async (port, usage) => {
    const sockets = await Promise.all(Array.from({ length: load.sockets }, () => openSession(port)));
    let sent = 0;
    const before = await readCounters(database, await usage());
    const { perSecond } = await measureEchoes(
      sockets.map((ws) => {
        const create = createMessage();
        const frame = (): string => {
          sent += 1;
          return create();
        };
        return { ws, frame, isEcho: (text) => text.includes('"EVENT_TYPE_USER_MESSAGE"') };
      }),
      { seconds: SECONDS, unanswered: load.unanswered },
    );
    const after = await readCounters(database, await usage());
    for (const ws of sockets) ws.terminate();
    const each = (key: keyof Counters): string => ((after[key] - before[key]) / sent).toFixed(3);
    console.log(
      [
        `${load.name}, ${Math.round(perSecond)} messages/s; of each`,
        `${each('statements')} statements, ${each('commits')} commits, ${each('flushes')} flushes,`,
        `${each('rows')} rows written, ${each('bytes')} bytes of log, milliseconds of processor time:`,
        `${each('processorMs')} platform, ${each('databaseMs')} database, ${each('clientsMs')} clients`,
      ].join(' '),
    );
  });
}

async function readCounters(sql: Database, usage: Usage): Promise<Counters> {
  const counted = await readDatabaseCounters(sql, schema);
  const { user, system } = process.cpuUsage();
  return { ...usage, ...counted, clientsMs: (user + system) / 1_000 };
}
