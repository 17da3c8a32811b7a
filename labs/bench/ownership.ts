import { type Database, openDatabase } from '../../server-platform/src/db/index.ts';
import { acquireNodeLease, renewNodeLease } from '../../server-platform/src/realtime/ownership/index.ts';
import {
  countOpenTurns,
  insertInterruptedSessions,
  letLeaseRunOut,
} from '../../server-platform/test/realtime/interrupted-sessions.ts';
import { createNodes, NODES_DATABASE_URL } from '../../server-platform/test/realtime/nodes.ts';

// The cost of owning sessions on PostgreSQL, and how soon another node serves a dead node's sessions.
// Argument: how many are owned; a tenth of so many were interrupted.
const IDLE = Number(process.argv[2] ?? 10_000);
const INTERRUPTED = IDLE / 10;
const ROUNDS = 5;

// How it was done before nodes had leases: every owned session's row was written again with every renewal.
const RENEW_EVERY_ROW = `
  UPDATE sessions s SET lease_until = (extract(epoch FROM clock_timestamp()) * 1000)::bigint + 10000
    FROM unnest($1::uuid[]) AS t (id)
   WHERE s.id = t.id AND s.owner_epoch = 1`;

type Cost = { readonly ms: number; readonly walBytes: number };

if (NODES_DATABASE_URL === '') {
  console.log('postgres is not reachable, skipped (set DATABASE_URL_TEST)');
} else {
  await measureRenewal();
  await measureRecovery();
}

async function measureRenewal(): Promise<void> {
  const nodes = await createNodes();
  try {
    await (await nodes.start()).close();
    await insertInterruptedSessions(nodes, IDLE);
    const database = await openDatabase({ databaseUrl: nodes.databaseUrl, maxConnections: 1 });
    await database.query('ALTER TABLE sessions ADD COLUMN lease_until bigint NOT NULL DEFAULT 0');
    const ids = (await database.query<{ id: string }>('SELECT id FROM sessions')).map(({ id }) => id);
    const rows = await measure(database, () => database.query(RENEW_EVERY_ROW, [ids]));
    const lease = await acquireNodeLease(database, 'bench');
    const one = await measure(database, () => renewNodeLease(database, lease));
    await database.close();
    print(`${IDLE} rows, one per session`, rows);
    print('1 row, the lease of the node', one);
    console.log(
      `time ${(rows.ms / one.ms).toFixed(0)} x, log ${(rows.walBytes / one.walBytes).toFixed(0)} x as much`,
    );
  } finally {
    await nodes.close();
  }
}

/** The middle one of some rounds. */
async function measure(database: Database, work: () => Promise<unknown>): Promise<Cost> {
  const costs: Cost[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await readWal(database);
    const startedAt = performance.now();
    await work();
    const ms = performance.now() - startedAt;
    costs.push({ ms, walBytes: (await readWal(database)) - before });
  }
  costs.sort((a, b) => a.ms - b.ms);
  return costs[Math.floor(ROUNDS / 2)] ?? { ms: 0, walBytes: 0 };
}

async function readWal(database: Database): Promise<number> {
  const [row] = await database.query<{ bytes: string }>(
    "SELECT (pg_current_wal_insert_lsn() - '0/0')::text AS bytes",
  );
  return Number(row?.bytes);
}

function print(what: string, { ms, walBytes }: Cost): void {
  const bytes = Math.round(walBytes).toLocaleString('en');
  console.log(
    `renewal of ${what.padEnd(30)} ${ms.toFixed(1).padStart(8)} ms  ${bytes.padStart(12)} bytes of log`,
  );
}

async function measureRecovery(): Promise<void> {
  const nodes = await createNodes();
  try {
    await nodes.start();
    await insertInterruptedSessions(nodes, INTERRUPTED);
    const startedAt = performance.now();
    await letLeaseRunOut(nodes);
    while ((await countOpenTurns(nodes)) > 0) await new Promise((resolve) => setTimeout(resolve, 100));
    const seconds = (performance.now() - startedAt) / 1_000;
    console.log(
      `${INTERRUPTED} interrupted turns of a node that died, answered by one other: ${seconds.toFixed(1)} s after its lease`,
    );
  } finally {
    await nodes.close();
  }
}
