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
export { type AgentClock, systemAgentClock } from './agent-clock.ts';
export { type AgentConfig, type CompleteAgentConfig, parseAgentConfig } from './agent-config.ts';
export {
  AgentError,
  type AgentErrorCode,
  type AgentFailureStage,
  isAgentError,
  systemTextForAgentFailure,
} from './agent-error.ts';
export { type AgentPorts, createAgent } from './create-agent.ts';
export type { Article } from './knowledge/article.ts';
export type { EventFlow } from './knowledge/event-flow.ts';
export { findAnswer } from './knowledge/find-answer.ts';
export { createKnowledgeAgent } from './knowledge/knowledge-agent.ts';
export { KNOWLEDGE_AGENT_DEFAULTS, type KnowledgeAgentConfig } from './knowledge/knowledge-agent-config.ts';
export { createKnowledgeIndex, type KnowledgeIndex } from './knowledge/knowledge-index.ts';
export { loadArticles } from './knowledge/load-articles.ts';
export { type RankedArticle, rankArticles } from './knowledge/rank-articles.ts';
export { type QueryConcept, readQuery } from './knowledge/read-query.ts';
export { createLlmAgent } from './llm/llm-agent.ts';
export { LLM_AGENT_DEFAULTS, type LlmAgentConfig } from './llm/llm-agent-config.ts';
