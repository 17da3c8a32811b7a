import type { Cost, LoadFigures, NodesFigures } from '../load/figures.ts';
import type { Assumptions } from './assumptions.ts';

/** Load of this many concurrent chats per second, and its cost. */
export type Load = {
  readonly chats: number;
  readonly chatsPerSecond: number;
  readonly messagesPerSecond: number;
  readonly chunksPerSecond: number;
  readonly returnsPerSecond: number;
  readonly sockets: number;
  /** Cores that work all the time. */
  readonly platformCores: number;
  readonly databaseCores: number;
  readonly memoryBytes: number;
  readonly rowsPerSecond: number;
  readonly logBytesPerSecond: number;
  /** Between nodes, if each event is wanted on one node and its session is owned by any. */
  readonly busBytesPerSecond: number;
  readonly storedBytesPerMonth: number;
};

/** The deployment for a load. */
export type Plan = {
  readonly load: Load;
  /** Groups of nodes and databases that share nothing. */
  readonly cells: number;
  /** Of all cells together. */
  readonly nodes: number;
  readonly databases: number;
  readonly busServers: number;
  readonly monthlyPrice: number;
  readonly pricePerChat: number;
  /** Bottlenecks of a smaller deployment, narrowest first, each with the concurrent chats at which it is reached. */
  readonly walls: readonly Wall[];
};

/** A limit, and at how many concurrent chats one of its kind is reached. */
export type Wall = { readonly name: WallName; readonly chats: number };

/** The limits: of a node, of a database, and of one bus with all nodes of a cell. */
export type WallName =
  | 'processor of a node'
  | 'memory of a node'
  | 'processor of a database'
  | 'write-ahead log of a database'
  | 'disks of a database'
  | 'connections of a database'
  | 'one bus';

const HOURS_PER_MONTH = 730;
const SECONDS_PER_DAY = 86_400;
const GIGABYTE = 1_000_000_000;

/** The load of so many concurrent chats. It grows in proportion: so do the figures, which a test checks. */
export function loadOf(chats: number, figures: LoadFigures, assumed: Assumptions): Load {
  const { chats: chat, echoes, chunks, handshakes, bus, nodes } = chooseRun(figures);
  const chatsPerSecond = chats / assumed.chatSeconds;
  const messagesPerSecond = chatsPerSecond * assumed.messagesPerChat;
  const chunksPerSecond = messagesPerSecond * assumed.chunksPerAnswer;
  const returnsPerSecond = chatsPerSecond * assumed.returnsPerChat;
  const sum = (key: keyof Cost): number =>
    chatsPerSecond * chat.cost[key] +
    messagesPerSecond * echoes.cost[key] +
    chunksPerSecond * chunks.cost[key];
  const sockets = chats * (1 + assumed.idlePerChat);
  const busBytes =
    bus === null ? 0 : messagesPerSecond * bus.bytesPerEcho + chunksPerSecond * bus.bytesPerChunk;
  // Sockets were at any of so many nodes, one of which owns their session. With many nodes nearly all are at another one.
  const remote = (nodes - 1) / nodes;
  return {
    chats,
    chatsPerSecond,
    messagesPerSecond,
    chunksPerSecond,
    returnsPerSecond,
    sockets,
    platformCores: (sum('platformMs') + returnsPerSecond * handshakes.platformMs) / 1_000,
    databaseCores: sum('databaseMs') / 1_000,
    memoryBytes: sockets * figures.idle.bytesPerSocket,
    rowsPerSecond: sum('rows'),
    logBytesPerSecond: sum('logBytes'),
    busBytesPerSecond: bus === null ? 0 : busBytes / remote,
    storedBytesPerMonth: sum('storedBytes') * assumed.meanOfPeak * SECONDS_PER_DAY * assumed.keptDays,
  };
}

/** Resources for a number of concurrent chats. */
export function planFor(chats: number, figures: LoadFigures, assumed: Assumptions): Plan {
  const walls = findWalls(figures, assumed);
  const load = loadOf(chats, figures, assumed);
  const cells = Math.ceil(chats / chatsPerCell(figures, assumed));
  const inCell = chats / cells;
  // A second node takes over what a first one that fails has left.
  const nodes = cells * Math.max(2, unitsFor(inCell, walls, NODE_WALLS));
  const databases = cells * unitsFor(inCell, walls, DATABASE_WALLS);
  const busServers = cells * (nodes / cells > 3 ? 3 : 1);
  const monthlyPrice = priceOf({ nodes, databases, busServers, load }, assumed);
  const chatsPerMonth = load.chatsPerSecond * assumed.meanOfPeak * HOURS_PER_MONTH * 3_600;
  return {
    load,
    cells,
    nodes,
    databases,
    busServers,
    monthlyPrice,
    pricePerChat: monthlyPrice / chatsPerMonth,
    walls,
  };
}

const NODE_WALLS: ReadonlySet<WallName> = new Set(['processor of a node', 'memory of a node']);
const DATABASE_WALLS: ReadonlySet<WallName> = new Set([
  'processor of a database',
  'write-ahead log of a database',
  'disks of a database',
]);

/** At how many concurrent chats each limit is reached with one node, one database or one bus, the narrowest first. */
export function findWalls(figures: LoadFigures, assumed: Assumptions): readonly Wall[] {
  const one = loadOf(1, figures, assumed);
  const { busiest } = assumed;
  const base = figures.idle.baseBytes;
  const perNode = Math.min(
    (busiest * assumed.coresPerNode) / one.platformCores,
    (busiest * assumed.gigabytesPerNode * GIGABYTE - base) / one.memoryBytes,
  );
  const nodesPerDatabase = assumed.connectionsPerDatabase / assumed.connectionsPerNode;
  const walls: readonly Wall[] = [
    { name: 'processor of a node', chats: (busiest * assumed.coresPerNode) / one.platformCores },
    {
      name: 'memory of a node',
      chats: (busiest * assumed.gigabytesPerNode * GIGABYTE - base) / one.memoryBytes,
    },
    { name: 'processor of a database', chats: (busiest * assumed.coresPerDatabase) / one.databaseCores },
    {
      name: 'write-ahead log of a database',
      chats: (busiest * assumed.logBytesPerSecond) / one.logBytesPerSecond,
    },
    {
      name: 'disks of a database',
      chats: (busiest * assumed.diskBytesPerDatabase) / one.storedBytesPerMonth,
    },
    // Every node has its connections to every database, however many there are.
    { name: 'connections of a database', chats: perNode * nodesPerDatabase },
    { name: 'one bus', chats: (busiest * assumed.busBytesPerSecond) / one.busBytesPerSecond },
  ];
  return walls.filter(({ chats }) => Number.isFinite(chats)).toSorted((a, b) => a.chats - b.chats);
}

/** Traffic between cells: every node of a cell speaks to every database and receives one bus. */
function chatsPerCell(figures: LoadFigures, assumed: Assumptions): number {
  const isOfCell = ({ name }: Wall): boolean => name === 'connections of a database' || name === 'one bus';
  return Math.min(
    ...findWalls(figures, assumed)
      .filter(isOfCell)
      .map(({ chats }) => chats),
  );
}

function unitsFor(chats: number, walls: readonly Wall[], names: ReadonlySet<WallName>): number {
  return Math.max(
    ...walls.filter(({ name }) => names.has(name)).map((wall) => Math.ceil(chats / wall.chats)),
  );
}

type Deployed = Pick<Plan, 'nodes' | 'databases' | 'busServers' | 'load'>;

function priceOf({ nodes, databases, busServers, load }: Deployed, assumed: Assumptions): number {
  const { prices, coresPerNode, gigabytesPerNode, busiest } = assumed;
  const perNodeHour = coresPerNode * prices.perCoreHour + gigabytesPerNode * prices.perGigabyteHour;
  // A database has the cores that it needs and no more than one of its kind has, at least two; and a replica of each.
  const coresPerDatabase = Math.max(2, Math.ceil(load.databaseCores / busiest / databases));
  const databaseHour = 2 * databases * coresPerDatabase * prices.perDatabaseCoreHour;
  const hourly = (nodes + busServers) * perNodeHour + databaseHour;
  return hourly * HOURS_PER_MONTH + (load.storedBytesPerMonth / GIGABYTE) * prices.perStoredGigabyte;
}

/** The run with the most nodes, because traffic between nodes is part of the cost. */
export function chooseRun({ runs }: LoadFigures): NodesFigures {
  const run = runs.toSorted((a, b) => b.nodes - a.nodes)[0];
  if (run === undefined) throw new Error('Nothing was measured yet: npm run labs -- bench load');
  return run;
}
