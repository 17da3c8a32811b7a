/** The platform: conversations of websites and apps with agents, over HTTP and WebSockets. */
export { type ConnectorSettings, DEFAULT_CONNECTOR_SETTINGS } from './accounts/index.ts';
export type { Agent, AgentAction, AgentTurn } from './agents/index.ts';
export {
  type AccountEntry,
  type AddedConnector,
  type AddedKey,
  type ConfigOverrides,
  loadConfig,
  type PlatformConfig,
} from './config/index.ts';
export { createLogger } from './logger.ts';
export type {
  ClientHandoffProvider,
  HandoffLink,
  HandoffProvider,
  HandoffRequest,
  HandoffResumption,
  HandoffSession,
  LiveAgent,
  LiveAgentMessage,
  QueueStatus,
  ServerHandoffProvider,
} from './messaging/index.ts';
export { DEFAULT_MESSAGING_LIMITS, type MessagingLimits } from './messaging/index.ts';
export type { PlatformOptions } from './platform-options.ts';
export { type Platform, startPlatform } from './start-platform.ts';
