import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Database, openDatabase } from '../../server-platform/src/db/index.ts';
import { measureCeilings } from './load/ceilings.ts';
import { type LoadFigures, type NodesFigures, readFigures } from './load/figures.ts';
import { measureIdle } from './load/measure-idle.ts';
import { measureNodes, type Sizes } from './load/measure-nodes.ts';
import { printIdle, printRun } from './load/print-figures.ts';

// Thousands of clients that speak the protocol, from other processes: idle sockets per gigabyte, handshakes, stored echoes
// and chunks per second, and percentiles at half load, with one node and with more. Its results are kept in a file,
// which `npm run labs -- bench scaling` calculates with.
const USAGE = `npm run labs -- bench load [options]

  --only PART   idle or rates; default both. What the file has of the other part stays
  --nodes N     rates with so many nodes; may be given more than once; default 1, 2 and 3
  --idle N      idle sockets of a single node; default 20000, as far as the system allows
  --clients N   clients that send and listen; default 2000
  --quick       a few seconds of everything, to see that it works; writes labs/bench/tables/load.json
  --out FILE    where the figures are kept; default labs/bench/load/measured.json

On PostgreSQL (DATABASE_URL_TEST); between nodes NATS (NATS_URL), or PostgreSQL where there is none.`;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    nodes: { type: 'string', multiple: true, default: ['1', '2', '3'] },
    idle: { type: 'string', default: '20000' },
    clients: { type: 'string', default: '2000' },
    quick: { type: 'boolean', default: false },
    out: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help || ![undefined, 'idle', 'rates'].includes(values.only)) {
  console.log(USAGE);
  process.exit(values.help ? 0 : 2);
}
const POSTGRES = process.env['DATABASE_URL_TEST'] ?? 'postgres://root@127.0.0.1:5432/test';
const KEPT = values.quick ? './tables/load.json' : './load/measured.json';
const FILE = values.out ?? fileURLToPath(new URL(KEPT, import.meta.url));
const IDLE = values.quick ? 60 : Number(values.idle);
const SIZES: Sizes = values.quick
  ? { clients: 40, senders: 20, streams: 4, seconds: 0.5 }
  : { clients: Number(values.clients), senders: 512, streams: 200, seconds: 4 };

const schema = `bench_load_${process.pid}`;
const database = await openServer();
if (database === null) console.log('postgres not reachable, skipped (set DATABASE_URL_TEST)');
else await measure(database).finally(() => database.close());

/** Stores each result immediately, so that an aborted run loses little. */
async function measure(sql: Database): Promise<void> {
  const known = existsSync(FILE) ? readFigures(FILE) : null;
  const options = { database: sql, databaseUrl: POSTGRES };
  let idle = known?.idle;
  if (idle === undefined || values.only !== 'rates') {
    idle = await measureIdle({ ...options, schema: `${schema}_idle`, sockets: IDLE });
    printIdle(idle);
  }
  const machine = await describeMachine(sql);
  const keep = ({ ceilings, runs }: Pick<LoadFigures, 'ceilings' | 'runs'>): void => {
    const measuredAt = new Date().toISOString().slice(0, 10);
    keepFigures({ measuredAt, isQuick: values.quick, machine, idle, ceilings, runs });
  };
  if (values.only === 'idle' && known !== null) keep(known);
  else await measureRates(options, known, keep);
  console.log(`\nkept in ${FILE}`);
}

async function measureRates(
  options: { readonly database: Database; readonly databaseUrl: string },
  known: LoadFigures | null,
  keep: (figures: Pick<LoadFigures, 'ceilings' | 'runs'>) => void,
): Promise<void> {
  const ceilings = await measureCeilings(options.database, POSTGRES, schema, {
    sockets: SIZES.clients,
    seconds: SIZES.seconds,
  });
  let runs: readonly NodesFigures[] = known?.runs ?? [];
  for (const nodes of values.nodes.map(Number)) {
    const run = await measureNodes({ ...options, schema: `${schema}_${nodes}`, nodes, sizes: SIZES });
    printRun(run, ceilings);
    const others = runs.filter((other) => other.nodes !== nodes);
    runs = [...others, run].toSorted((a, b) => a.nodes - b.nodes);
    keep({ ceilings, runs });
  }
}

function keepFigures(figures: LoadFigures): void {
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, `${JSON.stringify(figures, roundNumber, 2)}\n`);
}

async function openServer(): Promise<Database | null> {
  try {
    return await openDatabase({ databaseUrl: POSTGRES });
  } catch {
    return null;
  }
}

async function describeMachine(sql: Database): Promise<LoadFigures['machine']> {
  const [version] = await sql.query<{ server_version: string }>('SHOW server_version');
  return {
    cores: cpus().length,
    processor: cpus()[0]?.model ?? '',
    memoryGb: totalmem() / 1e9,
    node: process.version,
    database: `PostgreSQL ${version?.server_version.split(' ')[0]}`,
  };
}

/** Figures have five digits that mean something at most. */
function roundNumber(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(5)) : value;
}
