/** The configuration of a platform process, and its application to the database. */

export type { AccountEntry } from './account-entry.ts';
export { type AddedConnector, type AddedKey, applyConfig } from './apply-config.ts';
export { checkConfig, hasDesk } from './check-config.ts';
export { ConfigError, isConfigError } from './config-error.ts';
export { ENVIRONMENT_VARIABLES } from './environment.ts';
export { findTranslations } from './find-translations.ts';
export { type ConfigOverrides, loadConfig, type PlatformConfig } from './load-config.ts';
export { loadConfiguredAgents } from './load-configured-agents.ts';
export { openConfiguredDatabase } from './open-configured-database.ts';
export { prepareFirstStart } from './prepare-first-start.ts';
export { readTokenSecrets } from './read-token-secrets.ts';
export { seedDevelopment } from './seed-development.ts';
