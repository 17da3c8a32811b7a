import type { AgentTurn } from '../../agent.ts';
import { contextVariablesOf } from '../../conversation-variables.ts';
import type { AgentTool, ToolAnswer } from '../../tools/agent-tool.ts';
import type { KnowledgeAgentConfig } from '../knowledge-agent-config.ts';
import type { MatchTrigger } from '../match-trigger.ts';
import type { Memory } from '../memory.ts';
import type { KnowledgeIndex } from '../passages/knowledge-index.ts';
import { findEntities } from '../question/find-entities.ts';
import { correctWords } from '../question/read-query.ts';
import type { Reply } from '../reply.ts';
import type { ReadMessage } from '../reply-to-intent.ts';
import { articleLanguage, offerPerson } from '../small-talk.ts';
import { sourceOf } from './answer-question.ts';

/** The tools of an agent, and how a message calls for one. */
export interface Toolbox {
  readonly tools: readonly AgentTool[];
  readonly match: MatchTrigger;
}

/** Result of asking the tools: an answer, or the names of the tools that failed. */
export interface ToolOutcome {
  readonly reply: Reply | null;
  readonly failed: readonly string[];
}

const MAX_FOLLOW_UP_WORDS = 8;
const GOES_ON = /^(?:and|or|what about|how about|but|ok|then|also|so|the)\b/i;

/**
 * Asks the tool that the message calls for; a message that only adds a detail goes to the tool that answered the previous
 * message. Without a reply, or after a failure (reported by the tool's name), the articles answer.
 */
export async function answerByTool(
  { tools, match }: Toolbox,
  turn: AgentTurn,
  index: KnowledgeIndex,
  config: KnowledgeAgentConfig,
  memory: Memory,
  nowMs: number,
  { language, say }: Pick<ReadMessage, 'language' | 'say'>,
): Promise<ToolOutcome> {
  const failed: string[] = [];
  const text = correctWords(index, turn.text);
  const matched = match(text);
  const last = tools.find(({ name }) => name === memory.tool?.name);
  const isShort = turn.text.trim().split(/\s+/).length <= MAX_FOLLOW_UP_WORDS;
  const goesOn = last !== undefined && (isShort || GOES_ON.test(turn.text.trim()));
  const calls = [
    ...(matched === null ? [] : [matched]),
    ...(goesOn && matched?.tool !== last ? [{ tool: last, input: {} }] : []),
  ];
  for (const { tool, input } of calls) {
    const isFollowUp = tool !== matched?.tool;
    let answer: ToolAnswer | null;
    try {
      answer = await tool.run(input, {
        ...{ text, language, isFollowUp, nowMs, signal: turn.signal, timeZone: config.timeZone },
        earlier: memory.words,
        remembered: memory.tool?.name === tool.name ? memory.tool.remembered : null,
        entities: findEntities(turn.text, config.places),
        page: contextVariablesOf(turn).page,
      });
    } catch {
      turn.signal.throwIfAborted();
      failed.push(tool.name);
      continue;
    }
    if (answer === null) continue;
    const article = index.articles.find(({ slug }) => slug === answer.article);
    const suggestions =
      language === articleLanguage(config)
        ? (article?.suggestions.slice(0, 3) ?? config.starters.slice(0, 3))
        : offerPerson(config, say, []);
    const reply: Reply = {
      intent: tool.name,
      text: answer.text,
      attachments: article === undefined ? [] : sourceOf(article, config, say),
      suggestions,
      memory: {
        ...memory,
        topic: article?.slug ?? memory.topic,
        words: turn.text.slice(0, 240),
        tool: { name: tool.name, remembered: answer.remember ?? null },
        hasOfferedPerson: false,
        misses: 0,
      },
    };
    return { reply, failed };
  }
  return { reply: null, failed };
}
