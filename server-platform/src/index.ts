/** The platform: conversations of websites and apps with agents, over HTTP and WebSockets. */
export { type ConnectorSettings, DEFAULT_CONNECTOR_SETTINGS } from './accounts/index.ts';
export type { Agent, AgentAction, AgentTurn } from './agents/index.ts';
export {
  type AccountEntry,
  type AddedConnector,
  type ConfigOverrides,
  loadConfig,
  type PlatformConfig,
} from './config/index.ts';
export { createLogger } from './logger.ts';
export type {
  HandoffLink,
  HandoffProvider,
  HandoffRequest,
  HandoffSession,
  LiveAgent,
  LiveAgentMessage,
  QueueStatus,
} from './messaging/handoff-provider.ts';
export { DEFAULT_MESSAGING_LIMITS, type MessagingLimits } from './messaging/messaging-limits.ts';
export { type Platform, type PlatformOptions, startPlatform } from './start-platform.ts';
