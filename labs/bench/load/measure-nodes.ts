import type { Database } from '../../../server-platform/src/db/index.ts';
import { readDatabaseCounters, watchProcessors } from '../databases/database-counters.ts';
import { type RunningServer, type ServerKind, withServers } from '../servers/bench-server.ts';
import { type BusWatch, watchBus } from './bus-watch.ts';
import type { Measured } from './client-process.ts';
import { Clients } from './clients.ts';
import type { Cost, NodesFigures } from './figures.ts';

/** Size of the measurement. */
export type Sizes = {
  /** Clients that are opened, send at half load, and come back. */
  readonly clients: number;
  /** Clients with one message unanswered at any time. */
  readonly senders: number;
  /** Sessions whose agent answers at length. */
  readonly streams: number;
  readonly seconds: number;
};

/** The subject and place of the measurement. */
export type MeasureNodesOptions = {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly schema: string;
  readonly nodes: number;
  readonly sizes: Sizes;
};

// The database publishes its counters after this time; a short form does not wait for it.
const SETTLE_SECONDS = 1.5;
const AT_ONCE = 64;
const PIECES = 50;
const LISTENERS = 4;
const NATS = process.env['NATS_URL'] ?? 'nats://127.0.0.1:4222';

type Place = {
  readonly clients: Clients;
  readonly servers: readonly RunningServer[];
  readonly options: MeasureNodesOptions;
};

/** Measures so many nodes on one database, with clients in other processes. */
export async function measureNodes(options: MeasureNodesOptions): Promise<NodesFigures> {
  const { database, databaseUrl, schema, nodes } = options;
  const url = new URL(databaseUrl);
  url.searchParams.set('options', `-c search_path=${schema}`);
  url.searchParams.set('application_name', schema);
  const bus = nodes === 1 ? null : await watchBus(NATS);
  const place = { databaseUrl: url.href, ...(bus !== null && { busUrl: NATS }) };
  await database.query(`CREATE SCHEMA ${schema}`);
  const clients = new Clients(2);
  try {
    const servers = Array.from({ length: nodes }, (): ServerKind => ({ kind: 'gateway', place }));
    return await withServers(servers, (running) => measureAll({ clients, servers: running, options }, bus));
  } finally {
    await clients.end();
    await bus?.close();
    await database.query(`DROP SCHEMA ${schema} CASCADE`);
  }
}

async function measureAll(place: Place, bus: BusWatch | null): Promise<NodesFigures> {
  const { clients, servers, options } = place;
  const { sizes, nodes } = options;
  const ports = servers.map(({ port }) => port);
  const opened = await measureCost(place, () =>
    clients.run({ do: 'open', ports, count: sizes.clients, atOnce: AT_ONCE }),
  );
  const { measured: back, cost: ofComingBack } = await measureCost(place, () =>
    clients.run({ do: 'come back', ports, count: sizes.clients, atOnce: AT_ONCE }),
  );
  const atEchoes = bus?.read();
  const echoed = await measureCost(place, () =>
    clients.run({ do: 'echo', sockets: sizes.senders, seconds: sizes.seconds }),
  );
  const ofEchoes = carriedSince(bus, atEchoes, echoed.measured);
  const perSecond = rateOf(echoed.measured);
  const half = await clients.run({ do: 'pace', perSecond: perSecond / 2, seconds: 2 * sizes.seconds });
  const { chunks, ofChunks } = await measureChunks(place, ports, bus);
  return {
    nodes,
    chats: { perSecond: rateOf(opened.measured), p99Ms: quantile(opened.measured, 0.99), cost: opened.cost },
    handshakes: { perSecond: rateOf(back), p99Ms: quantile(back, 0.99), platformMs: ofComingBack.platformMs },
    echoes: { perSecond, cost: echoed.cost },
    halfLoad: {
      perSecond: rateOf(half),
      p50Ms: quantile(half, 0.5),
      p99Ms: quantile(half, 0.99),
      p999Ms: quantile(half, 0.999),
    },
    chunks,
    bus:
      ofEchoes === null || ofChunks === null
        ? null
        : {
            messagesPerEcho: ofEchoes.messages,
            bytesPerEcho: ofEchoes.bytes,
            bytesPerChunk: ofChunks.bytes,
          },
  };
}

type Carried = ReturnType<BusWatch['read']>;

/** Traffic of the bus for each of the counted actions. */
function carriedSince(bus: BusWatch | null, before: Carried | undefined, { all }: Measured): Carried | null {
  if (bus === null || before === undefined) return null;
  const { messages, bytes } = bus.read();
  return { messages: (messages - before.messages) / all, bytes: (bytes - before.bytes) / all };
}

/** Answers of which every piece is stored: to the socket that asked alone, then to several of each session. */
async function measureChunks(
  place: Place,
  ports: readonly number[],
  bus: BusWatch | null,
): Promise<{ readonly chunks: NodesFigures['chunks']; readonly ofChunks: Carried | null }> {
  const { clients, options } = place;
  const { streams, seconds } = options.sizes;
  const before = bus?.read();
  const alone = await measureCost(place, () =>
    clients.run({ do: 'stream', sessions: streams, chunks: PIECES, seconds }),
  );
  const ofChunks = carriedSince(bus, before, alone.measured);
  await clients.run({ do: 'listen', ports, sessions: streams, each: LISTENERS });
  const shared = await clients.run({ do: 'stream', sessions: streams, chunks: PIECES, seconds });
  const chunks = {
    storedPerSecond: rateOf(alone.measured),
    cost: alone.cost,
    fannedOutPerSecond: rateOf(shared),
    socketsPerSession: LISTENERS + 1,
  };
  return { chunks, ofChunks };
}

/** Cost of one of the actions done meanwhile, warm-up included. */
async function measureCost(
  { servers, options }: Place,
  work: () => Promise<Measured>,
): Promise<{ readonly measured: Measured; readonly cost: Cost }> {
  const { database, schema, sizes } = options;
  const settleSeconds = Math.min(SETTLE_SECONDS, sizes.seconds / 2);
  const processors = watchProcessors(database, schema);
  const read = async (): Promise<Omit<Cost, 'databaseMs'>> => {
    const usages = await Promise.all(servers.map(({ usage }) => usage()));
    const { rows, bytes, storedBytes } = await readDatabaseCounters(database, schema, settleSeconds);
    const platformMs = usages.reduce((sum, { processorMs }) => sum + processorMs, 0);
    return { platformMs, rows, logBytes: bytes, storedBytes };
  };
  const before = await read();
  const measured = await work();
  const after = await read();
  const each = (key: keyof typeof before): number => (after[key] - before[key]) / measured.all;
  const databaseMs = (await processors.stop()) / measured.all;
  return {
    measured,
    cost: {
      databaseMs,
      platformMs: each('platformMs'),
      rows: each('rows'),
      logBytes: each('logBytes'),
      storedBytes: each('storedBytes'),
    },
  };
}

function rateOf({ done, seconds }: Measured): number {
  return done / seconds;
}

function quantile({ times }: Measured, part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
