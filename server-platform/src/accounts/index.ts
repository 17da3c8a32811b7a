/** Who may use the platform: accounts, their projects, and the connectors that lead into them. */
export { isAccountError } from './account-error.ts';
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
} from './connectors.ts';
export { MANAGE_COMMANDS } from './manage.ts';
export {
  addProject,
  changeProject,
  findProject,
  findProjectById,
  type Project,
} from './projects.ts';
