import { startNatsServer } from '../../server-platform/test/realtime/bus/nats-server.ts';
import { auditWrites, countWrites, findForeignWrites, stopAudit } from './audit-writes.ts';
import type { Cluster } from './cluster.ts';
import type { ClusterNodeOptions } from './cluster-node.ts';
import { settle } from './settle.ts';
import { pause, until, Visitors } from './visitors.ts';

/** Context of a scenario. */
export interface Stage {
  readonly cluster: Cluster;
  readonly visitors: Visitors;
  /** Fewer visitors and shorter faults. */
  readonly isQuick: boolean;
  /** Options of the nodes that run the next release. */
  readonly nextRelease: Partial<ClusterNodeOptions>;
}

/** One fault of a cluster. */
export interface Scenario {
  readonly what: string;
  /** Special settings of the nodes. Omitted: the previous scenario's cluster. */
  readonly nodes?: (lastRelease: string | null) => readonly Partial<ClusterNodeOptions>[];
  readonly needsReleases?: boolean;
  /** Part of the short form. */
  readonly isQuick?: boolean;
  /** Leaves a whole cluster. Resolves with a summary. */
  readonly run: (stage: Stage) => Promise<string>;
}

const MINUTE_MS = 60_000;
// The lease of a node lasts 10 s.
const STOPPED_MS = 30_000;
const STOPPED_QUICK_MS = 15_000;
// What a visitor may see of a rolling restart: the client waits a second, and is let in or tries another time.
const LONGEST_GAP_MS = 10_000;

/** Performs an action in the middle of all answers; then the answers continue. */
async function inMidTurn({ cluster, visitors }: Stage, act: () => Promise<void>): Promise<void> {
  cluster.farEnds.holdAnswers();
  try {
    await visitors.ask();
    await until(
      async () => (await visitors.countAnswering()) === visitors.tabs.length,
      'everybody is being answered',
    );
    await act();
  } finally {
    cluster.farEnds.releaseAnswers();
  }
}

async function askAll(stage: Stage): Promise<void> {
  await stage.visitors.ask();
  await settle(stage.cluster, stage.visitors);
}

async function kill(stage: Stage): Promise<string> {
  const { cluster, visitors } = stage;
  await inMidTurn(stage, async () => {
    await cluster.node(1).kill();
    cluster.balance();
  });
  await settle(cluster, visitors);
  await cluster.replace(1);
  await askAll(stage);
  return `${visitors.tabs.length} chats were in the middle of an answer`;
}

async function loseNats(stage: Stage): Promise<string> {
  const { cluster, visitors } = stage;
  const { port } = cluster.nats;
  await inMidTurn(stage, () => cluster.nats.stop());
  await settle(cluster, visitors);
  await askAll(stage);
  cluster.nats = await startNatsServer('', port);
  await askAll(stage);
  return 'answered with the bus, without it, and with it again';
}

async function restartPostgres(stage: Stage): Promise<string> {
  const { cluster, visitors } = stage;
  await inMidTurn(stage, () => cluster.postgres.restart());
  await settle(cluster, visitors);
  await askAll(stage);
  return `${visitors.tabs.length} chats were in the middle of an answer`;
}

async function stopNode(stage: Stage): Promise<string> {
  const { cluster, visitors, isQuick } = stage;
  const stopped = cluster.node(2);
  await auditWrites(cluster.database);
  let before = 0;
  await inMidTurn(stage, async () => {
    before = (await countWrites(cluster.database))[stopped.name] ?? 0;
    stopped.stop();
  });
  if (before === 0) throw new Error('The node that was stopped owned no session.');
  // The rest of its answers waits in its sockets. New connections go elsewhere.
  cluster.balance(cluster.nodes.filter((node) => node !== stopped));
  await pause(isQuick ? STOPPED_QUICK_MS : STOPPED_MS);
  // They find an owner that lives, or the old one when it wakes.
  await visitors.ask();
  const still = await cluster.database.query(
    `SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND state = 'idle in transaction'`,
    [stopped.name],
  );
  stopped.resume();
  cluster.balance();
  await settle(cluster, visitors);
  await askAll(stage);
  const foreign = await findForeignWrites(cluster.database);
  const after = (await countWrites(cluster.database))[stopped.name] ?? 0;
  await stopAudit(cluster.database);
  if (still.length > 0) throw new Error(`A node that stands still keeps ${still.length} transactions open.`);
  if (foreign.length > 0)
    throw new Error(
      `Nodes have written to sessions of others:\n${foreign.map((each) => JSON.stringify(each)).join('\n')}`,
    );
  return `the stopped node made ${before} writes before and ${after - before} after, none of them to a session of another`;
}

async function liveWithClocksApart(stage: Stage): Promise<string> {
  const { cluster, visitors, isQuick } = stage;
  await askAll(stage);
  // Longer than the nodes take between two looks for idle sessions.
  await pause(isQuick ? 6_000 : 15_000);
  const [expired] = await cluster.database.query<{ count: number }>(
    `SELECT count(*) AS count FROM sessions WHERE state = 'expired'`,
  );
  if (expired?.count !== 0) throw new Error(`${expired?.count} sessions were expired.`);
  // Their sessions go to nodes with other clocks.
  await cluster.node(2).kill();
  cluster.balance();
  await settle(cluster, visitors);
  await askAll(stage);
  return 'nobody was expired, and sessions went on at nodes with other clocks';
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Fails when a visitor had to press the button, or saw more than a short "Reconnecting". */
function reportGaps({ gaps }: Visitors): string {
  const { gaveUp, lengthsMs } = gaps;
  const at = (share: number): number => lengthsMs[Math.floor(lengthsMs.length * share)] ?? 0;
  const summary = `${lengthsMs.length} gaps: ${seconds(at(0.5))} (median), ${seconds(at(0.01))} (99 %), ${seconds(at(0))} at most`;
  if (gaveUp.size > 0) throw new Error(`${gaveUp.size} visitors had to press the button. ${summary}.`);
  if (at(0) > LONGEST_GAP_MS) throw new Error(`A visitor was without a connection for too long. ${summary}.`);
  return summary;
}

/** Replaces the nodes one after the other while all visitors keep asking. */
async function roll({ cluster, visitors }: Stage, own: Partial<ClusterNodeOptions>): Promise<string> {
  let isRolling = true;
  visitors.gaps.clear();
  visitors.startReading();
  const asking = (async () => {
    while (isRolling) {
      await visitors.askOnceRead();
      await pause(1_000);
    }
  })();
  const before = visitors.sent.length;
  const times: string[] = [];
  for (const index of cluster.nodes.keys()) {
    const leaving = cluster.node(index);
    // The node that leaves reports this at /readyz too.
    cluster.balance(cluster.nodes.filter((node) => node !== leaving));
    const startedAt = performance.now();
    await leaving.terminate();
    const leftAt = performance.now();
    await cluster.replace(index, own);
    times.push(`${seconds(leftAt - startedAt)} and ${seconds(performance.now() - leftAt)}`);
  }
  isRolling = false;
  await asking;
  await settle(cluster, visitors);
  const summary = reportGaps(visitors);
  return `${visitors.sent.length - before} questions meanwhile; ${summary}; the nodes took ${times.join(', ')} to leave and to start`;
}

async function upgrade(stage: Stage): Promise<string> {
  const { cluster } = stage;
  await askAll(stage);
  const countMigrations = async (): Promise<number> =>
    (await cluster.database.query('SELECT 1 FROM migrations')).length;
  const before = await countMigrations();
  const summary = await roll(stage, stage.nextRelease);
  const after = await countMigrations();
  if (after <= before) throw new Error('The releases have the same tables: nothing was tried.');
  return `from ${before} to ${after} migrations; ${summary}`;
}

/** Sessions that begin at a node of the next release, on its tables, continue at nodes of the previous one. */
async function fallBack(stage: Stage): Promise<string> {
  const { cluster, visitors, nextRelease } = stage;
  await cluster.node(0).terminate();
  await cluster.replace(0, nextRelease);
  cluster.balance([cluster.node(0)]);
  const late = await Visitors.open(cluster.farEnds.endpoint, visitors.tabs.length);
  try {
    await inMidTurn({ ...stage, visitors: late }, async () => {
      await cluster.node(0).kill();
      cluster.balance();
    });
    await settle(cluster, late);
    await late.ask();
    await settle(cluster, late);
    await cluster.replace(0, nextRelease);
    await askAll(stage);
  } finally {
    await late.close();
  }
  return `${late.tabs.length} chats were in the middle of an answer`;
}

const ofRelease = (release: string | null): Partial<ClusterNodeOptions> =>
  release === null ? {} : { release };
const apart = (minutes: number): Partial<ClusterNodeOptions> => ({ clockAheadMs: minutes * MINUTE_MS });

/** In the order in which they run. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  kill: { what: 'a node is killed in the middle of answers', isQuick: true, run: kill },
  nats: { what: 'NATS is away for a time', isQuick: true, run: loseNats },
  postgres: { what: 'PostgreSQL crashes and is back', isQuick: true, run: restartPostgres },
  stop: { what: 'a node stands still for 30 s (SIGSTOP) and wakes', run: stopNode },
  rolling: { what: 'three nodes are replaced one after the other', run: (stage) => roll(stage, {}) },
  clocks: {
    what: 'clocks are five minutes ahead and behind',
    nodes: () => [apart(5), apart(0), apart(-5)],
    run: liveWithClocksApart,
  },
  upgrade: {
    what: 'three nodes are replaced by nodes of the next release, which changes the tables',
    nodes: (release) => [ofRelease(release), ofRelease(release), ofRelease(release)],
    needsReleases: true,
    run: upgrade,
  },
  fallback: {
    what: 'chats begin at the first node of the next release, which dies, and go on at nodes of the one before',
    nodes: (release) => [ofRelease(release), ofRelease(release), ofRelease(release)],
    needsReleases: true,
    run: fallBack,
  },
};
