import type { LoadFigures } from '../load/figures.ts';
import type { Assumptions } from './assumptions.ts';
import { chooseRun, type Plan, planFor, type WallName } from './simulate.ts';

const SIZES = [1_000, 100_000, 10_000_000];

/** A measure that raises a limit. */
const REMEDIES: Readonly<Record<WallName, string>> = {
  'processor of a node': 'more nodes',
  'memory of a node': 'more nodes, or larger ones',
  'processor of a database': 'several databases, sessions spread over them by a hash',
  'write-ahead log of a database': 'several databases, sessions spread over them by a hash',
  'disks of a database': 'larger disks, keeping less, or several databases',
  'connections of a database': 'cells, or a pooler that shares connections',
  'one bus': 'cells',
};

/** The tables of `docs/scaling.md`: measurements, assumptions, and conclusions. */
export function describeScaling(figures: LoadFigures, assumed: Assumptions): string {
  const plans = SIZES.map((chats) => planFor(chats, figures, assumed));
  return [
    '### Measured',
    describeMachine(figures),
    describeIdle(figures),
    tableOfRuns(figures),
    describeRun(figures),
    tableOfCosts(figures),
    '### Assumed',
    listAssumptions(assumed),
    '### What follows',
    tableOfPlans(plans),
    '### Where it ends',
    'Concurrent chats at which one node, one database or one bus has as much as it is to bear, the narrowest first:',
    tableOfWalls(plans[0]),
    ...plans.map((plan) => firstWallOf(plan)),
  ].join('\n\n');
}

function describeMachine({ machine, measuredAt, idle, isQuick }: LoadFigures): string {
  const { cores, processor, memoryGb, node, database } = machine;
  const few =
    idle.allowed < idle.wanted
      ? ` A process may have ${count(idle.allowed)} files and sockets open there, and no more.`
      : '';
  const quick = isQuick ? ' **A short run, whose figures say nothing.**' : '';
  return `On ${measuredAt}, by \`npm run labs -- bench load\`: ${cores} cores (${processor}), ${memoryGb.toFixed(0)} GB, Node ${node}, ${database}. Nodes, database and clients share the cores, so more nodes do not make it faster there: the runs with two and three say what several nodes cost.${few}${quick}`;
}

function describeIdle({ idle }: LoadFigures): string {
  const { sockets, bytesPerSocket, heapBytesPerSocket, bareBytesPerSocket, baseBytes, residentBytes } = idle;
  return `${count(sockets)} idle sockets of joined chats on one node: ${kilobytes(bytesPerSocket)} each, ${kilobytes(heapBytesPerSocket)} of it objects; a bare \`ws\` socket has ${kilobytes(bareBytesPerSocket)}. A GB holds ${count(1e9 / bytesPerSocket)}. The process held ${megabytes(baseBytes)} before them and ${megabytes(residentBytes)} with them. The kernel's memory for sockets is not included.`;
}

function tableOfRuns({ runs, ceilings }: LoadFigures): string {
  const column = (nodes: number): string => (nodes === 1 ? '1 node' : `${nodes} nodes`);
  const row = (
    what: string,
    cell: (run: LoadFigures['runs'][number]) => string,
    bare = '',
  ): readonly string[] => [what, ...runs.map(cell), bare];
  return table(
    ['', ...runs.map(({ nodes }) => column(nodes)), 'bare `ws` or PostgreSQL'],
    [
      row('new chats a second', ({ chats }) => count(chats.perSecond)),
      row(
        'sockets that come back, a second',
        (run) => count(run.handshakes.perSecond),
        count(ceilings.handshakesPerSecond),
      ),
      row(
        'messages stored and echoed a second',
        ({ echoes }) => count(echoes.perSecond),
        `${count(ceilings.insertsPerSecond)} inserts of one row`,
      ),
      row(
        'at half of that: 50 / 99 / 99.9 %',
        ({ halfLoad: { p50Ms, p99Ms, p999Ms } }) =>
          `${[p50Ms, p99Ms, p999Ms].map((ms) => ms.toFixed(0)).join(' / ')} ms`,
      ),
      row(
        'chunks stored a second',
        ({ chunks }) => count(chunks.storedPerSecond),
        `${count(ceilings.rowsPerSecond)} rows, 128 a statement`,
      ),
      row(
        'chunks sent a second, five sockets a session',
        ({ chunks }) => count(chunks.fannedOutPerSecond),
        `${count(ceilings.echoesPerSecond)} echoes`,
      ),
      row('bus, for a message', ({ bus }) =>
        bus === null ? '' : `${bus.messagesPerEcho.toFixed(1)} messages, ${kilobytes(bus.bytesPerEcho)}`,
      ),
    ],
  );
}

function describeRun(figures: LoadFigures): string {
  const { nodes } = chooseRun(figures);
  return `What one of each costs in processor time, rows and bytes, with ${nodes} node${nodes === 1 ? '' : 's'}. Sockets are at any node, as behind a load balancer, so most of them are not at the node that owns their session:`;
}

function tableOfCosts(figures: LoadFigures): string {
  const { chats, echoes, chunks } = chooseRun(figures);
  return table(
    ['One', 'Platform', 'Database', 'Rows', 'Write-ahead log', 'Kept'],
    [
      ['new chat', chats.cost],
      ['message with its turn', echoes.cost],
      ['chunk', chunks.cost],
    ].map(([what, cost]) =>
      typeof what !== 'string' || typeof cost !== 'object'
        ? []
        : [
            what,
            microseconds(cost.platformMs),
            microseconds(cost.databaseMs),
            cost.rows.toFixed(1),
            kilobytes(cost.logBytes),
            kilobytes(cost.storedBytes),
          ],
    ),
  );
}

function listAssumptions(assumed: Assumptions): string {
  const { prices } = assumed;
  return [
    `A chat lasts ${assumed.chatSeconds / 60} minutes and has ${assumed.messagesPerChat} messages of its visitor, each answered in ${assumed.chunksPerAnswer} chunks; ${assumed.idlePerChat} more panel is open beside it, and every chat has ${assumed.returnsPerChat} sockets that come back.`,
    `The mean of a month is ${assumed.meanOfPeak} of the peak. Texts are kept for ${assumed.keptDays} days.`,
    `Nodes, databases and the bus are used to ${assumed.busiest * 100} % at the peak. A node has ${assumed.coresPerNode} core and ${assumed.gigabytesPerNode} GB, a database at most ${assumed.coresPerDatabase} cores, ${megabytes(assumed.logBytesPerSecond)} a second of log, ${count(assumed.diskBytesPerDatabase / 1e12)} TB and ${count(assumed.connectionsPerDatabase)} connections, of which a node takes ${assumed.connectionsPerNode}; a bus carries ${megabytes(assumed.busBytesPerSecond)} a second.`,
    `A core costs $${prices.perCoreHour} an hour, a GB of memory $${prices.perGigabyteHour}, a core of a database $${prices.perDatabaseCoreHour}, a GB of its disks $${prices.perStoredGigabyte} a month. Every database has a replica. Traffic to visitors, the language model and people are not in it.`,
  ]
    .map((line) => `- ${line}`)
    .join('\n');
}

function tableOfPlans(plans: readonly Plan[]): string {
  const row = (what: string, cell: (plan: Plan) => string): readonly string[] => [what, ...plans.map(cell)];
  return table(
    ['Concurrent chats', ...plans.map(({ load }) => count(load.chats))],
    [
      row('messages a second', ({ load }) => count(load.messagesPerSecond)),
      row('chunks a second', ({ load }) => count(load.chunksPerSecond)),
      row('open sockets', ({ load }) => count(load.sockets)),
      row('cores of the platform, all the time', ({ load }) => cores(load.platformCores)),
      row('cores of the database, all the time', ({ load }) => cores(load.databaseCores)),
      row('memory of the sockets', ({ load }) => `${(load.memoryBytes / 1e9).toFixed(1)} GB`),
      row('rows written a second', ({ load }) => count(load.rowsPerSecond)),
      row('write-ahead log a second', ({ load }) => megabytes(load.logBytesPerSecond)),
      row('bus a second, at most', ({ load }) => megabytes(load.busBytesPerSecond)),
      row('kept', ({ load }) => `${count(load.storedBytesPerMonth / 1e9)} GB`),
      row('cells', ({ cells }) => count(cells)),
      row('nodes', ({ nodes }) => count(nodes)),
      row('databases, each with a replica', ({ databases }) => count(databases)),
      row('servers of the bus', ({ busServers }) => count(busServers)),
      row('price a month', ({ monthlyPrice }) => `$${count(monthlyPrice)}`),
      row('price of a chat', ({ pricePerChat }) => `$${pricePerChat.toPrecision(2)}`),
    ],
  );
}

function tableOfWalls(plan: Plan | undefined): string {
  return table(
    ['Limit', 'Concurrent chats', 'What moves it'],
    (plan?.walls ?? []).map(({ name, chats }) => [name, count(chats), REMEDIES[name]]),
  );
}

function firstWallOf({ load, walls }: Plan): string {
  const [first, ...others] = walls.filter(({ chats }) => chats < load.chats);
  const next = walls.find(({ chats }) => chats >= load.chats);
  const size = `**${count(load.chats)} chats.**`;
  const ahead = next === undefined ? '' : ` Next would be: ${next.name}, at ${count(next.chats)}.`;
  if (first === undefined)
    return `${size} One node and one database do it; the second node is there in case the first fails.${ahead}`;
  const behind = others.map(({ name }) => `${name} (${REMEDIES[name]})`).join(', ');
  const after = behind === '' ? '' : ` After it come: ${behind}.`;
  return `${size} The first wall is: ${first.name}; what moves it: ${REMEDIES[first.name]}.${after}${ahead}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function cores(value: number): string {
  return value < 10 ? value.toFixed(2) : count(value);
}

function microseconds(ms: number): string {
  return ms >= 1 ? `${ms.toFixed(1)} ms` : `${Math.round(ms * 1_000)} µs`;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}

function megabytes(bytes: number): string {
  return `${bytes < 1e7 ? (bytes / 1e6).toFixed(1) : count(bytes / 1e6)} MB`;
}
