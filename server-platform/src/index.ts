/** The platform: conversations of websites and apps with agents, over HTTP and WebSockets. */
export { type ConnectorSettings, DEFAULT_CONNECTOR_SETTINGS } from './accounts/index.ts';
export type {
  Agent,
  AgentAction,
  AgentTool,
  AgentTurn,
  ToolAnswer,
  ToolCallContext,
  ToolInput,
  ToolProperty,
  ToolSlot,
  ToolTrigger,
} from './agents/index.ts';
export {
  type AccountEntry,
  type AddedConnector,
  type AddedKey,
  type ConfigOverrides,
  loadConfig,
  type PlatformConfig,
} from './app/config/index.ts';
export type { PlatformOptions } from './app/platform-options.ts';
export { type Platform, startPlatform } from './app/start-platform.ts';
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
} from './handoff/session/index.ts';
export { createLogger } from './kit/logger.ts';
export { DEFAULT_MESSAGING_LIMITS, type MessagingLimits } from './realtime/index.ts';
