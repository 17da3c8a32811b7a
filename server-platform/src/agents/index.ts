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
export { HANDOFF_CAUSES } from './agent.ts';
export { type CompleteAgentConfig, parseAgentConfig } from './agent-config.ts';
export {
  AgentError,
  type AgentFailureStage,
  isAgentError,
  systemTextForAgentFailure,
} from './agent-error.ts';
export { explainAnswer } from './articles/explain-answer.ts';
export { languageOfReplies, sayIn } from './articles/intents/replies.ts';
export type { Article } from './articles/passages/article.ts';
export { isArticleSlug } from './articles/passages/load-articles.ts';
export {
  type ArticleText,
  parseArticle,
  readArticleText,
  writeArticleText,
} from './articles/passages/parse-article.ts';
export type { TranslatePassage } from './articles/passages/translations.ts';
export { describeHours } from './articles/time/describe-hours.ts';
export { topicStems } from './articles/topic-stems.ts';
export { type CollectedTurn, collectTurn } from './collect-turn.ts';
export { HANDOFF_SUMMARY, publicState, withStateVariables } from './conversation-variables.ts';
export { type AgentSource, createAgent, loadAgent } from './create-agent.ts';
export { converse } from './evaluation/converse.ts';
export { createEvaluation } from './evaluation/evaluate.ts';
export { textOf } from './evaluation/judge.ts';
export { loadConversations } from './evaluation/load-conversations.ts';
export { chatCompletionsUrl } from './llm/chat-completions-url.ts';
export { type AgentTimeouts, runAgent } from './run-agent.ts';
export { createTurnShares } from './share-agent.ts';
export type {
  AgentTool,
  ToolAnswer,
  ToolCallContext,
  ToolInput,
  ToolProperty,
  ToolSlot,
  ToolTrigger,
} from './tools/agent-tool.ts';
export { type TurnFaults, type TurnNext, TurnProgress, type TurnRecord } from './turn-progress.ts';
export { createWebhookAgent } from './webhook/webhook-agent.ts';
