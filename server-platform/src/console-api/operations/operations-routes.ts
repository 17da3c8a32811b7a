import { readDeliveryBacklog } from '../../api/webhooks/index.ts';
import { type Backlog, readServer } from '../../db/index.ts';
import { readRequestBacklog } from '../../desk/index.ts';
import { readVectorBacklog } from '../../records/search/index.ts';
import { type ConsoleCall, type ConsoleRoute, consoleRoute } from '../console-call.ts';
import { operationsView } from './operations-schemas.ts';

/** State of nodes, database, bus and queues. */
export const OPERATIONS_ROUTES: readonly ConsoleRoute[] = [
  consoleRoute(
    {
      ...{ id: 'consoleOperations', method: 'GET', path: '/operations', role: 'admin' },
      summary:
        'Nodes with lease, version and figures of the last quarter of an hour; the database, the bus, and what waits.',
      answer: operationsView,
    },
    async (call) => {
      const { server, person } = call;
      const { database, peers } = server;
      const { accountId } = person;
      const [nodes, databaseView, requests, deliveries, vectors] = await Promise.all([
        server.nodeReports.readAll(database),
        readDatabase(call),
        readRequestBacklog(database, accountId),
        readDeliveryBacklog(database, accountId),
        readVectorBacklog(database, accountId),
      ]);
      return {
        at: new Date(server.clock.now()).toISOString(),
        nodes: nodes.map(({ node, isSelf, leaseLeftMs, figures }) => ({
          ...{ node, is_self: isSelf, lease_left_ms: leaseLeftMs, figures },
        })),
        database: databaseView,
        bus: { is_shared: peers.isShared, is_up: peers.isUp, nodes: peers.names },
        queues: [
          viewQueue('Visitors who wait for a person', requests),
          viewQueue('Webhooks to be delivered', deliveries),
          viewQueue('Conversations not yet in the search by meaning', vectors),
        ],
      };
    },
  ),
];

async function readDatabase({ server: { database } }: ConsoleCall<unknown, unknown>) {
  const startedAt = performance.now();
  await database.ping();
  const pingMs = performance.now() - startedAt;
  const { version, sizeBytes } = await readServer(database);
  return {
    engine: database.engine,
    version,
    is_durable: database.isDurable,
    size_bytes: sizeBytes,
    ping_ms: pingMs,
    connections: database.connections?.() ?? null,
  };
}

function viewQueue(name: string, { count, oldestAtMs }: Backlog) {
  return { name, count, oldest_at: oldestAtMs === null ? null : new Date(oldestAtMs).toISOString() };
}
