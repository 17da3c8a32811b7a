import * as v from 'valibot';
import {
  addConnector,
  type Connector,
  findConnectorById,
  findProjectById,
  isUuid,
  listConnectors,
  revokeConnector,
} from '../../accounts/index.ts';
import { countOpenSessions } from '../../realtime/event-log/index.ts';
import { countRemoval, removeScope } from '../../records/erasure/index.ts';
import { DeskError, HEAVY_COST } from '../../staff/index.ts';
import { audit, type ConsoleCall, type ConsoleRoute, consoleRoute } from '../console-call.ts';
import {
  connectorImpactView,
  connectorView,
  newConnectorSchema,
  newSecretView,
} from './operations-schemas.ts';

const toTime = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString());

/** The connectors of a project: what token proxies ask for tickets with. */
export const CONNECTOR_ROUTES: readonly ConsoleRoute[] = [
  consoleRoute(
    {
      ...{ id: 'consoleConnectors', method: 'GET', path: '/connectors', role: 'admin' },
      summary: 'The connectors of a project with hosts and last use, the revoked ones last.',
      query: v.object({ project: v.optional(v.string()) }),
      answer: v.object({ connectors: v.array(connectorView) }),
    },
    async ({ server, findProject }) => {
      const list = await listConnectors(server.database, await findProject());
      return { connectors: list.map(viewConnector) };
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleConnectorAdd', method: 'POST', path: '/connectors', role: 'admin' },
      summary: 'Add a connector. The answer has its token, once.',
      query: v.object({ project: v.optional(v.string()) }),
      body: newConnectorSchema,
      answer: newSecretView,
    },
    async (call) => {
      const { server, body } = call;
      const hosts = [
        ...body.domains.map((value) => ({ kind: 'domain' as const, value })),
        ...body.apps.map((value) => ({ kind: 'app' as const, value })),
      ];
      if (hosts.length === 0)
        throw new DeskError(
          400,
          'INVALID',
          'name at least one host in domains or apps, because otherwise no page can use the connector',
        );
      const { connector, token } = await addConnector(
        server.database,
        { project: await call.findProject(), name: body.name, hosts, environment: body.environment },
        server.clock.now(),
      );
      await audit(call, 'add_connector', connector.name);
      return { id: connector.id, name: connector.name, secret: token };
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleConnectorImpact', method: 'GET', path: '/connectors/{id}/impact', role: 'admin' },
      cost: HEAVY_COST,
      summary: 'What revoking a connector ends now, and what removing it would erase.',
      answer: connectorImpactView,
    },
    async (call) => {
      const { id } = await requireConnector(call);
      const { database } = call.server;
      return {
        open_sessions: await countOpenSessions(database, id),
        removal: await countRemoval(database, { kind: 'connector', id }),
      };
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleConnectorRevoke', method: 'POST', path: '/connectors/{id}/revoke', role: 'admin' },
      summary: 'Revoke a connector: its token no longer works, and its sockets close within two seconds.',
    },
    async (call) => {
      const { id, name } = await requireConnector(call);
      const wasInUse = await revokeConnector(call.server.database, id, call.server.clock.now());
      if (wasInUse) await audit(call, 'revoke_connector', name);
      return {};
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleConnectorRemove', method: 'POST', path: '/connectors/{id}/remove', role: 'admin' },
      cost: HEAVY_COST,
      summary: 'Remove a revoked connector with its sessions and conversations, for good.',
    },
    async (call) => {
      const { id, name, revokedAtMs } = await requireConnector(call);
      if (revokedAtMs === null)
        throw new DeskError(409, 'IN_USE', 'Revoke the connector first: pages still come in through it.');
      const removed = await removeScope(call.server.database, { kind: 'connector', id });
      if (removed !== null) {
        call.server.countRemoved('erasure', removed.counts);
        await audit(call, 'remove_connector', name);
      }
      return {};
    },
  ),
];

/** The connector of the path, of a project of the person's account. */
async function requireConnector(call: ConsoleCall<unknown, unknown>): Promise<Connector> {
  const { database } = call.server;
  const id = call.params['id'] ?? '';
  const connector = isUuid(id) ? await findConnectorById(database, id) : null;
  const project = connector === null ? null : await findProjectById(database, connector.projectId);
  if (connector !== null && project?.accountId === call.person.accountId) return connector;
  throw new DeskError(404, 'NOT_FOUND', 'There is no such connector: see GET /console/api/connectors.');
}

function viewConnector(connector: Connector) {
  const { id, name, hosts, environment, agent, handoff, tokenHint } = connector;
  return {
    ...{ id, name, environment, agent, handoff },
    hosts: hosts.map(({ kind, value }) => ({ kind, value })),
    hint: tokenHint,
    created_at: toTime(connector.createdAtMs) ?? '',
    last_used_at: toTime(connector.lastUsedAtMs),
    revoked_at: toTime(connector.revokedAtMs),
  };
}
