/** Who may use the platform: accounts, their projects, and the connectors that lead into them. */
export { AccountError, type AccountErrorCode, isAccountError } from './account-error.ts';
export { type Account, addAccount, findAccount, listAccounts, renameAccount } from './accounts.ts';
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
  listConnectors,
  type NewConnector,
  revokeConnector,
} from './connectors.ts';
export { MANAGE_COMMANDS, type ManageOptions } from './manage.ts';
export {
  addProject,
  changeProject,
  findProject,
  findProjectById,
  listProjects,
  type Project,
  type ProjectFields,
} from './projects.ts';
