import * as v from 'valibot';
import type { AgentAttachment, AgentTurn, Entities, HandoffAction } from '../agent.ts';
import { sourceOf } from '../articles/answers/answer-question.ts';
import { resolveLinks } from '../articles/excerpts/resolve-links.ts';
import { selectPassage } from '../articles/excerpts/select-passage.ts';
import { languageOfReplies, type Say, sayIn } from '../articles/intents/replies.ts';
import { languageOfSlug, plainSlug } from '../articles/passages/article.ts';
import type { KnowledgeIndex } from '../articles/passages/knowledge-index.ts';
import { rankArticles } from '../articles/passages/rank-articles.ts';
import { readQuery } from '../articles/question/read-query.ts';
import type { ToolCall, ToolDefinition } from './chat-protocol.ts';
import type { CitedSources } from './cited-sources.ts';
import { contextToolsOf, runContextTool } from './context-tools.ts';
import { defineTool } from './define-tool.ts';
import type { LlmAgentConfig } from './llm-agent-config.ts';

/** Outcome of running a tool: a result for the model, or the end of the turn. */
export type ToolOutcome =
  | {
      readonly kind: 'result';
      readonly content: string;
      /** Cards that come with the answer, whether it cites them or not. */
      readonly sources: readonly AgentAttachment[];
      /** Entities that the model found in the user's text. */
      readonly entities?: Entities;
      /** Intents of the message according to the model. */
      readonly intents?: readonly string[];
      /** The model says that the message is about something that it cannot help with. */
      readonly isOutOfDomain?: boolean;
      /** BCP-47 tag of the language that the user writes in. */
      readonly language?: string | null;
      /** The call could not be run as the model wrote it. */
      readonly hasFailed: boolean;
    }
  | {
      readonly kind: 'ending';
      /** Null: the conversation continues without an answer. */
      readonly action: HandoffAction | { readonly type: 'end' } | null;
      readonly text: string;
    };

const SEARCH = defineTool(
  'search_knowledge',
  'Searches the help articles. Use it before answering anything about the company, its prices, times or rules. Each result has a number to cite it by.',
  { query: { type: 'string', description: 'What to look for, in a few English words.' } },
  ['query'],
);

const texts = (description: string): object => ({ type: 'array', items: { type: 'string' }, description });

const ENTITY_KINDS: Readonly<Record<string, object>> = {
  date: texts('Dates, YYYY-MM-DD where the day is certain.'),
  time: texts('Times of day, HH:MM.'),
  route: texts('Routes, "from - to".'),
  booking_reference: texts('Booking references.'),
};

const NOTE = defineTool(
  'note_facts',
  'Records what the message is about and which facts the user gave, for the record of the conversation. Call it once with every message, together with your other tools.',
  {
    intents: texts('What the user wants, one to three words each, such as "fares" or "change booking".'),
    out_of_domain: {
      type: 'boolean',
      description: 'True when the user asks for something that you neither know nor can look up.',
    },
    language: { type: 'string', description: 'The language that the user writes in, such as "de".' },
    ...ENTITY_KINDS,
  },
);

const NO_ANSWER = defineTool(
  'no_answer',
  'Tells the user that you do not know. Call it in place of a guess, when neither the articles nor your tools answer the question.',
  {},
  [],
);

const HAND_OFF = defineTool(
  'hand_off',
  'Hands the conversation to a person. Use it when the user asks for one, or when you cannot help. Ends your part.',
  {
    reason: { type: 'string', enum: ['COMPLEX_QUERY', 'AGENT_DECISION', 'POLICY'] },
    why: { type: 'string', description: 'Why, in a few words, such as "complaint" or "asked for a person".' },
  },
  [],
);

const END = defineTool(
  'end_conversation',
  'Ends the conversation. Use it only after the user has said goodbye or that nothing else is needed.',
  {},
  [],
);

/** Returns the tools that the agent offers in a turn: only those that can run. */
export function toolsOf(
  config: LlmAgentConfig,
  index: KnowledgeIndex | null,
  turn: AgentTurn,
): readonly ToolDefinition[] {
  return [
    ...(index === null ? [] : [SEARCH]),
    NOTE,
    NO_ANSWER,
    ...contextToolsOf(turn),
    ...(config.handoff === null ? [] : [HAND_OFF]),
    END,
  ];
}

const MAX_RESULTS = 3;
const MAX_RESULT_CHARACTERS = 1_500;

// Below this score an article shares at most one word with the query, and would mislead the model.
const MIN_CONFIDENCE = 0.15;

/**
 * Runs one tool call. What the model got wrong comes back as a result it can read and correct. Of `indexes`, which are
 * searched, the first is in the visitor's language.
 */
export function runTool(
  call: ToolCall,
  config: LlmAgentConfig,
  indexes: readonly KnowledgeIndex[],
  turn: AgentTurn,
  sources: CitedSources,
): ToolOutcome {
  const args = parseArguments(call.arguments);
  if (args === null)
    return problem('The arguments are not a JSON object. Call the tool again with valid JSON.');
  const say = sayIn(languageOfReplies(turn.language), config.replies, turn.history.length);
  if (call.name === SEARCH.function.name && indexes.length > 0)
    return search(args, config, indexes, sources, say);
  if (call.name === NOTE.function.name) {
    const content = JSON.stringify({ noted: true });
    return {
      ...{ kind: 'result', content, sources: [], hasFailed: false },
      entities: readEntities(args),
      intents: readTexts(args['intents'], MAX_INTENTS).map((text) => text.toLowerCase()),
      isOutOfDomain: args['out_of_domain'] === true,
      language: readLanguage(args['language']),
    };
  }
  if (call.name === NO_ANSWER.function.name)
    return { kind: 'ending', action: null, text: reportUnknown(say, config) };
  const context = runContextTool(call.name, turn);
  if (context !== null) return { kind: 'result', content: context, sources: [], hasFailed: false };
  if (call.name === HAND_OFF.function.name && config.handoff !== null) {
    const reason = v.safeParse(v.picklist(['COMPLEX_QUERY', 'AGENT_DECISION', 'POLICY']), args['reason']);
    const [why] = readTexts(args['why'], 1);
    return {
      kind: 'ending',
      text: say('handoff'),
      action: {
        type: 'handoff',
        ...config.handoff,
        reason: reason.success ? reason.output : 'AGENT_DECISION',
        ...(why !== undefined && { why }),
      },
    };
  }
  if (call.name === END.function.name) {
    return { kind: 'ending', text: say('goodbye'), action: { type: 'end' } };
  }
  return problem('There is no such tool. Answer without it.');
}

function search(
  args: Readonly<Record<string, unknown>>,
  config: LlmAgentConfig,
  indexes: readonly KnowledgeIndex[],
  sources: CitedSources,
  say: Say,
): ToolOutcome {
  const query = args['query'];
  if (typeof query !== 'string' || query.trim() === '')
    return problem('"query" must be a text. Call the tool again.');
  const all = indexes.flatMap((index) => {
    const concepts = readQuery(index, query);
    return rankArticles(index, concepts)
      .filter(({ confidence }) => confidence >= MIN_CONFIDENCE)
      .map(({ article, confidence }) => ({ article, confidence, concepts, slots: index.slots }));
  });
  // Of an article in two languages the visitor's is enough, as certain as the better found one.
  const byName = new Map<string, (typeof all)[number]>();
  for (const each of all) {
    const name = plainSlug(each.article.slug);
    const known = byName.get(name) ?? each;
    byName.set(name, { ...known, confidence: Math.max(known.confidence, each.confidence) });
  }
  const found = [...byName.values()]
    .sort((one, other) => other.confidence - one.confidence)
    .slice(0, MAX_RESULTS);
  if (found.length === 0) {
    return {
      ...problem('No article covers this. Say so, and offer what else you can do.'),
      hasFailed: false,
    };
  }
  const results = found.map(({ article, concepts, slots }) => {
    const whole = article.sections
      .flatMap(({ heading, blocks }) => [...(heading === null ? [] : [`## ${heading}`]), ...blocks])
      .join('\n\n');
    // For a long article, only the passages that the agent on articles would answer with.
    const text =
      whole.length <= MAX_RESULT_CHARACTERS
        ? whole
        : selectPassage(article, concepts, MAX_RESULT_CHARACTERS, slots);
    return {
      number: sources.number(article.slug, sourceOf(article, config, say)),
      title: article.title,
      text: resolveLinks(text, config.helpBaseUrl, languageOfSlug(article.slug)),
    };
  });
  return {
    kind: 'result',
    content: JSON.stringify({ results }),
    sources: [],
    hasFailed: false,
  };
}

/** Answers that the agent does not know, and offers a human agent if there are any. */
function reportUnknown(say: Say, { handoff }: Pick<LlmAgentConfig, 'handoff'>): string {
  return handoff === null ? say('unknown') : `${say('unknown')} ${say('person_offer')}`;
}

/** The tag of a language, or null. */
function readLanguage(argument: unknown): string | null {
  if (typeof argument !== 'string') return null;
  try {
    return Intl.getCanonicalLocales(argument)[0] ?? null;
  } catch {
    return null;
  }
}

const MAX_ENTITIES = 10;
const MAX_ENTITY_CHARACTERS = 100;

const MAX_INTENTS = 5;

function readEntities(args: Readonly<Record<string, unknown>>): Entities {
  return Object.fromEntries(
    Object.keys(ENTITY_KINDS).flatMap((kind) => {
      const values = readTexts(args[kind], MAX_ENTITIES);
      return values.length === 0 ? [] : [[kind, values]];
    }),
  );
}

/** The texts of an argument; a model may give one text where a list was asked for. */
function readTexts(argument: unknown, max: number): readonly string[] {
  return [argument ?? []]
    .flat()
    .filter((value): value is string => typeof value === 'string' && value.trim() !== '')
    .slice(0, max)
    .map((value) => value.trim().slice(0, MAX_ENTITY_CHARACTERS));
}

/** A result that describes the fault for the model. */
export const problem = (message: string): Extract<ToolOutcome, { kind: 'result' }> => ({
  kind: 'result',
  content: JSON.stringify({ error: message }),
  sources: [],
  hasFailed: true,
});

const argumentsSchema = v.record(v.string(), v.unknown());

/** The arguments of a call, or null when they are no JSON object. */
export function parseArguments(text: string): Readonly<Record<string, unknown>> | null {
  // A tool without arguments is often called with an empty text.
  if (text.trim() === '') return {};
  try {
    const parsed = v.safeParse(argumentsSchema, JSON.parse(text));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}
