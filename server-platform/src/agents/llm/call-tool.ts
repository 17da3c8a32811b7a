import type { AgentTurn } from '../agent.ts';
import { sourceOf } from '../articles/answers/answer-question.ts';
import { languageOfReplies, sayIn } from '../articles/intents/replies.ts';
import type { KnowledgeIndex } from '../articles/passages/knowledge-index.ts';
import { findEntities } from '../articles/question/find-entities.ts';
import { contextVariablesOf } from '../conversation-variables.ts';
import type { AgentTool } from '../tools/agent-tool.ts';
import type { ToolCall, ToolDefinition } from './chat-protocol.ts';
import { defineTool } from './define-tool.ts';
import type { LlmAgentConfig } from './llm-agent-config.ts';
import { parseArguments, problem, type ToolOutcome } from './tools.ts';

/** A tool of the agent, as offered to the model. */
export const definitionOf = ({ name, description, input }: AgentTool): ToolDefinition =>
  defineTool(name, description, input.properties, input.required);

/** Runs a tool for the model. A tool that fails, or has no answer, is a result that the model can read. */
export async function callTool(
  tool: AgentTool,
  call: ToolCall,
  config: Pick<LlmAgentConfig, 'timeZone' | 'helpBaseUrl' | 'replies'>,
  index: KnowledgeIndex | null,
  turn: AgentTurn,
  nowMs: number,
  signal: AbortSignal,
): Promise<Extract<ToolOutcome, { kind: 'result' }>> {
  const input = parseArguments(call.arguments);
  if (input === null)
    return problem('The arguments are not a JSON object. Call the tool again with valid JSON.');
  const missing = (tool.input.required ?? []).filter((name) => input[name] === undefined);
  if (missing.length > 0) return problem(`The call lacks "${missing.join('", "')}". Call the tool again.`);
  try {
    const answer = await tool.run(input, {
      ...{ text: null, earlier: '', isFollowUp: false, remembered: null, nowMs, signal },
      language: turn.language,
      timeZone: config.timeZone,
      entities: findEntities(turn.text, []),
      page: contextVariablesOf(turn).page,
    });
    if (answer === null) return { ...problem('The tool has no answer to this.'), hasFailed: false };
    const article = index?.articles.find(({ slug }) => slug === answer.article);
    return {
      kind: 'result',
      content: JSON.stringify(answer.data ?? { text: answer.text }),
      sources:
        article === undefined
          ? []
          : sourceOf(article, config, sayIn(languageOfReplies(turn.language), config.replies, 0)),
      hasFailed: false,
    };
  } catch {
    signal.throwIfAborted();
    return problem('The tool failed. Answer without it.');
  }
}
