import { answerQuestion } from '../../../server-platform/src/agents/articles/answers/answer-question.ts';
import { flowStartedBy } from '../../../server-platform/src/agents/articles/event-flow.ts';
import { loadIntents } from '../../../server-platform/src/agents/articles/intents/load-intents.ts';
import { matchIntent } from '../../../server-platform/src/agents/articles/intents/match-intent.ts';
import { createKnowledgeAgent } from '../../../server-platform/src/agents/articles/knowledge-agent.ts';
import { KNOWLEDGE_AGENT_DEFAULTS } from '../../../server-platform/src/agents/articles/knowledge-agent-config.ts';
import { createTriggerMatcher } from '../../../server-platform/src/agents/articles/match-trigger.ts';
import { readMemory } from '../../../server-platform/src/agents/articles/memory.ts';
import { createKnowledgeIndex } from '../../../server-platform/src/agents/articles/passages/knowledge-index.ts';
import { splitQuestions } from '../../../server-platform/src/agents/articles/question/split-questions.ts';
import { readMessage } from '../../../server-platform/src/agents/articles/reply-to-intent.ts';
import { createSynonyms } from '../../../server-platform/src/agents/articles/text/synonyms.ts';
import { tokenize } from '../../../server-platform/src/agents/articles/text/tokenize.ts';
import { ToolCallAssembly } from '../../../server-platform/src/agents/llm/assemble-tool-calls.ts';
import { CitationFilter, CitedSources } from '../../../server-platform/src/agents/llm/cited-sources.ts';
import { ThinkingFilter } from '../../../server-platform/src/agents/llm/thinking-filter.ts';
import { messageTurn } from '../../../server-platform/test/agents/agent-turn.ts';
import { ISLAND_ARTICLES } from '../../../server-platform/test/agents/island-articles.ts';
import { fill, type LinearCase, MARKS, of } from '../linear-case.ts';

const index = createKnowledgeIndex(ISLAND_ARTICLES);
const config = { ...KNOWLEDGE_AGENT_DEFAULTS, name: '* Ada *', pacing: { minMs: 0, maxMs: 0 } };
const agent = createKnowledgeAgent(config, index);
const takeCitations = (...pieces: readonly string[]): unknown => {
  const filter = new CitationFilter(new CitedSources());
  for (const piece of pieces) filter.push(piece);
  return filter.end();
};

const ask = (text: string): unknown => {
  const turn = messageTurn(text);
  const message = { ...readMessage(text, turn, config, index), isTranslated: false };
  return answerQuestion(index, turn, config, readMemory({}), message, 0);
};
const match = createTriggerMatcher(
  [
    {
      ...{ name: 'fares', description: 'Fares', input: { properties: {} } },
      triggers: [
        {
          examples: ['how much is it to {to}', 'my order is {order}'],
          slots: { to: { Tarrow: ['tarrow'] }, order: /\ba-\d{5}\b/i },
        },
      ],
      run: () => null,
    },
  ],
  ISLAND_ARTICLES,
  createSynonyms(),
);
const intents = loadIntents();
const said = { language: 'en', isEnglish: false, isKnown: () => false };
const FLOW = {
  name: 'pay',
  phrases: ['pay now'],
  text: '',
  receivedText: '',
  timedOutText: '',
  timeoutMs: 1,
};

/** Messages of visitors to the built-in agent, and answers of models. */
export const AGENTS: readonly LinearCase[] = [
  ...['a', 'ying', 'a-', ' ', MARKS, 'Ada '].flatMap((unit) => [
    of(`tokens of ${JSON.stringify(unit)}`, (size) => fill(size, unit, 'a'), tokenize),
    of(
      `intent of ${JSON.stringify(unit)}`,
      (size) => fill(size, unit, 'a'),
      (text) => matchIntent(text, intents, said),
    ),
    of(`answer to ${JSON.stringify(unit)}`, (size) => fill(size, unit, 'a', 'b'), ask),
    of(`questions of ${JSON.stringify(unit)}`, (size) => fill(size, unit, 'a'), splitQuestions),
    of(`trigger of ${JSON.stringify(unit)}`, (size) => fill(size, unit, 'a'), match),
    // Runs up to the first action: by then the whole reply is decided.
    of(
      `reply to ${JSON.stringify(unit)}`,
      (size) => fill(size, unit, 'a', '\ud83d\udc36'),
      (text) => agent.run(messageTurn(text))[Symbol.asyncIterator]().next(),
    ),
    of(
      `flow of ${JSON.stringify(unit)}`,
      (size) => fill(size, unit, 'a'),
      (text) => flowStartedBy(text, [FLOW]),
    ),
  ]),
  of('tokens of a run of "y" before a suffix', (size) => fill(size, 'y', 'b', 'ement'), tokenize),
  ...[' ', '[1', ' [1]', '['].flatMap((unit) => [
    of(`citations of ${JSON.stringify(unit)}`, (size) => fill(size, unit, 'a', 'b'), takeCitations),
    of(
      `citations in pieces of ${JSON.stringify(unit)}`,
      (size) => fill(size, unit, 'a', 'b'),
      (text) => takeCitations(...(text.match(/.{1,4}/gs) ?? [])),
    ),
  ]),
  of(
    'thinking in pieces',
    (size) => fill(size, '</th', '<think>', 'a'),
    (text) => {
      const thinking = new ThinkingFilter();
      return (text.match(/.{1,4}/gs) ?? []).map((piece) => thinking.push(piece));
    },
  ),
  {
    name: 'tool calls in many pieces',
    prepare: (size) => {
      const pieces = Array.from({ length: size / 8 }, (_, n) => ({
        index: n,
        id: null,
        name: 'a',
        arguments: 'b',
        extra: null,
      }));
      return () => {
        const assembly = new ToolCallAssembly();
        for (const piece of pieces) assembly.add(piece);
        return assembly.complete();
      };
    },
  },
  {
    name: 'tool calls by id',
    prepare: (size) => {
      const pieces = Array.from({ length: size / 8 }, (_, n) => ({
        index: null,
        id: `c${n}`,
        name: 'a',
        arguments: 'b',
        extra: null,
      }));
      return () => {
        const assembly = new ToolCallAssembly();
        for (const piece of pieces) assembly.add(piece);
        return assembly.complete();
      };
    },
  },
];
