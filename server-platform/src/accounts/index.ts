/** Access to the platform: accounts, their projects, connectors and API keys. */
export { AccountError, type AccountErrorCode, isAccountError } from './account-error.ts';
export {
  type Account,
  addAccount,
  findAccount,
  findAccountById,
  listAccounts,
  lockAccount,
  renameAccount,
} from './accounts.ts';
export {
  type ApiKey,
  addApiKey,
  changeApiKey,
  findApiKey,
  findApiKeyById,
  findApiKeyByName,
  findFormerApiKey,
  listApiKeys,
  type NewApiKey,
  revokeApiKey,
  rotateApiKey,
} from './api-keys.ts';
export {
  type ConnectorSettings,
  connectorSettingsSchema,
  DEFAULT_CONNECTOR_SETTINGS,
} from './connector-settings.ts';
export {
  addConnector,
  type Connector,
  changeConnector,
  findConnectorById,
  findConnectorByName,
  findConnectorByToken,
  findConnectorsById,
  listConnectors,
  revokeConnector,
  wasConnectorRevoked,
} from './connectors.ts';
export { type ConversationSettings, conversationSettingsSchema } from './conversation-settings.ts';
export { type Credentials, createCredentials } from './credentials.ts';
export {
  checkPermissions,
  isKeyPermission,
  KEY_PERMISSIONS,
  type KeyPermission,
  noPermission,
} from './key-permissions.ts';
export { MANAGE_COMMANDS } from './manage.ts';
export {
  type CommandOutput,
  isUuid,
  type ManageCommands,
  type ManageOptions,
  readCommandArguments,
  requireAccount,
  requireProject,
  writeList,
  writeTime,
} from './manage-command.ts';
export { requireConnector } from './manage-connectors.ts';
export {
  addProject,
  changeProject,
  findProject,
  findProjectById,
  listProjects,
  listProjectsWithoutTranscripts,
  listRetention,
  type Project,
  type Variant,
} from './projects.ts';
export { writeAccountId } from './reference.ts';
export {
  isRetentionByPartition,
  NO_RETENTION,
  type RetentionDays,
  readRetentionDays,
  retentionDaysSchema,
} from './retention-days.ts';
export { hashToken } from './token-hash.ts';
