import { randomUUID } from 'node:crypto';
import { deriveSecret } from '../../accounts/tokens/index.ts';
import type { Database, Sql } from '../../db/index.ts';
import { type Clock, sleep, steadyClock } from '../../kit/clock.ts';
import { deriveBusSpace, openBus, type Peers } from '../../realtime/bus/index.ts';
import { createTraceReader, listLeasedNodes, type ReadTraces } from '../../realtime/trace/index.ts';
import { type PlatformConfig, readTokenSecrets } from '../config/index.ts';

// Nodes answer a join at once, and send a heartbeat every two seconds.
const NODES_TIMEOUT_MS = 2_500;
const POLL_MS = 50;

const NONE_SERVES =
  'No platform runs on this data folder, so handshakes, frames and closed sockets are missing: only a running platform has them, in memory.';
const NO_SECRET =
  'Handshakes, frames and closed sockets are missing: set NATTER_TOKEN_SECRET to the nodes’ secret.';
const NO_NODE =
  'No node runs on this database, so handshakes, frames and closed sockets are missing: only running nodes have them, in memory.';
const NO_BUS =
  'Cannot reach the bus between the nodes (NATTER_BUS_URL, DATABASE_URL), so handshakes, frames and closed sockets are missing.';

/** Reads reports from the nodes of a platform, for a command in a separate process. */
export interface NodeTraceReader {
  readonly readTraces: ReadTraces;
  close(): Promise<void>;
}

/** Joins the nodes' bus, if there is one, while a command runs. */
export async function openNodeTraceReader(
  config: PlatformConfig,
  database: Database,
): Promise<NodeTraceReader> {
  // The embedded database is open here, so no platform is using it.
  if (database.engine === 'pglite') return without(NONE_SERVES);
  if (config.tokenSecrets.length === 0) return without(NO_SECRET);
  const [secret] = await readTokenSecrets(config);
  if (secret === undefined || (await listLeasedNodes(database)).length === 0) return without(NO_NODE);
  const { bus, peers } = await openBus({
    url: config.busUrl ?? config.database.url,
    files: config.busFiles,
    space: deriveBusSpace(deriveSecret(secret, 'bus')),
    node: `command-${process.pid}-${randomUUID().slice(0, 8)}`,
    clock: steadyClock,
    // Missing answers are shown to the operator.
    onFailure: () => {},
  });
  await waitForNodes(database, peers, steadyClock);
  if (!peers.isUp) {
    await bus.close();
    return without(NO_BUS);
  }
  return { readTraces: createTraceReader({ sql: database, peers, own: null }), close: () => bus.close() };
}

const without = (whyNone: string): NodeTraceReader => ({
  readTraces: async () => ({ nodes: [], whyNone }),
  close: async () => {},
});

/** Waits until every node with a lease has answered. */
async function waitForNodes(sql: Sql, peers: Peers, clock: Clock): Promise<void> {
  const leased = await listLeasedNodes(sql);
  const giveUpAtMs = clock.now() + NODES_TIMEOUT_MS;
  while (clock.now() < giveUpAtMs && !leased.every((node) => peers.canReach(node)))
    await sleep(clock, POLL_MS);
}
