import { type Connector, type Credentials, findConnectorsById } from '../../accounts/index.ts';
import { BatchLoader, type Sql } from '../../db/index.ts';
import type { ConnectorDirectory, MessagingConnector } from './connector.ts';

// Handshakes per statement.
const IDS_AT_ONCE = 100;

/** Looks up connectors in the database. Not cached, so that changes apply immediately. */
export function createConnectorDirectory(
  sql: Sql,
  credentials: Pick<Credentials, 'findConnector'>,
): ConnectorDirectory {
  const look = (connector: Connector | null): MessagingConnector | null =>
    connector === null ? null : toMessagingConnector(connector);
  const byId = new BatchLoader({
    read: (ids: readonly string[]) => findConnectorsById(sql, ids),
    maxKeys: IDS_AT_ONCE,
  });
  return {
    findByToken: async (token) => look(await credentials.findConnector(token)),
    findById: async (connectorId) => look(await byId.get(connectorId)),
  };
}

function toMessagingConnector(connector: Connector): MessagingConnector {
  const { id, projectId, environment, hosts, agent, variants, settings, revokedAtMs } = connector;
  return {
    id,
    projectId,
    environment,
    agent,
    variants,
    hosts,
    isRevoked: revokedAtMs !== null,
    enforceOrigin: settings.enforceOrigin,
    eventVocabulary: settings.eventVocabulary,
    onHandoffFailure: settings.onHandoffFailure,
    handoffTimeoutMs: settings.handoffTimeoutSeconds * 1000,
    handoff: connector.handoff,
    handoffRoute: settings.handoffRoute,
    hasIdleWarning: settings.idleWarning,
    hasSurvey: settings.csat,
    surveyScale: settings.csatScale,
    hasReceipts: settings.receipts,
    hasContext: connector.hasContextKeys,
    language: settings.language,
  };
}
