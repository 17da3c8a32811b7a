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
  WaitForEventAction,
} from './agent.ts';
export { type CompleteAgentConfig, parseAgentConfig } from './agent-config.ts';
export {
  AgentError,
  type AgentFailureStage,
  isAgentError,
  systemTextForAgentFailure,
} from './agent-error.ts';
export { type CollectedTurn, collectTurn } from './collect-turn.ts';
export { type AgentSource, type BuiltAgent, createAgent, loadAgent } from './create-agent.ts';
export { loadConversations } from './evaluation/conversation.ts';
export { converse } from './evaluation/converse.ts';
export { createEvaluation } from './evaluation/evaluate.ts';
export { textOf } from './evaluation/judge.ts';
export { withGivenState } from './given-state.ts';
export type { Article } from './knowledge/article.ts';
export { explainAnswer } from './knowledge/explain-answer.ts';
export { languageOfReplies, sayIn } from './knowledge/intents/replies.ts';
export { ARTICLE_SLUG } from './knowledge/load-articles.ts';
export {
  type ArticleText,
  parseArticle,
  readArticleText,
  writeArticleText,
} from './knowledge/parse-article.ts';
export { chatCompletionsUrl } from './llm/chat-completions-url.ts';
export { type AgentTimeouts, runAgent } from './run-agent.ts';
export { type TurnFaults, type TurnNext, TurnProgress, type TurnRecord } from './turn-progress.ts';
