/** The agents: the port through which a conversation is answered, and the agents that come with the platform. */
export type {
  Agent,
  AgentAction,
  AgentAttachment,
  AgentCallAction,
  AgentExternalEvent,
  AgentHistoryEntry,
  AgentSuggestion,
  AgentTurn,
  HandoffAction,
  HandoffReason,
  TextAction,
  WaitForEventAction,
} from './agent.ts';
export {
  AgentError,
  type AgentErrorCode,
  type AgentFailureStage,
  isAgentError,
  systemTextForAgentFailure,
} from './agent-error.ts';
