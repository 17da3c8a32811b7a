import * as v from 'valibot';
import type { AgentAttachment, AgentTurn, Entities, HandoffAction } from '../agent.ts';
import { sourceOf } from '../knowledge/answer-question.ts';
import type { KnowledgeIndex } from '../knowledge/knowledge-index.ts';
import { rankArticles } from '../knowledge/rank-articles.ts';
import { readQuery } from '../knowledge/read-query.ts';
import { resolveLinks } from '../knowledge/resolve-links.ts';
import type { ToolCall, ToolDefinition } from './chat-protocol.ts';
import { contextToolsOf, runContextTool } from './context-tools.ts';
import { defineTool } from './define-tool.ts';
import type { LlmAgentConfig } from './llm-agent-config.ts';

/** What running a tool came to: a result for the model, or the end of the turn. */
export type ToolOutcome =
  | {
      readonly kind: 'result';
      readonly content: string;
      readonly sources: readonly AgentAttachment[];
      /** Facts that the model found in what the user wrote. */
      readonly entities?: Entities;
      /** The call could not be run as the model wrote it. */
      readonly hasFailed: boolean;
    }
  | {
      readonly kind: 'ending';
      readonly action: HandoffAction | { readonly type: 'end' };
      readonly text: string;
    };

const SEARCH = defineTool(
  'search_knowledge',
  'Searches the help articles. Use it before answering anything about the company, its prices, times or rules.',
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
  'Records facts that the user gave, for the record of the conversation. Call it together with your other tools whenever the user names a date, a time, a route or a booking reference.',
  ENTITY_KINDS,
);

const HAND_OFF = defineTool(
  'hand_off',
  'Hands the conversation to a person. Use it when the user asks for one, or when you cannot help. Ends your part.',
  { reason: { type: 'string', enum: ['COMPLEX_QUERY', 'AGENT_DECISION', 'POLICY'] } },
  [],
);

const END = defineTool(
  'end_conversation',
  'Ends the conversation. Use it only after the user has said goodbye or that nothing else is needed.',
  {},
  [],
);

/** The tools this agent offers in a turn: only what it can really do. */
export function toolsOf(
  config: LlmAgentConfig,
  index: KnowledgeIndex | null,
  turn: AgentTurn,
): readonly ToolDefinition[] {
  return [
    ...(index === null ? [] : [SEARCH]),
    NOTE,
    ...contextToolsOf(turn),
    ...(config.handoff === null ? [] : [HAND_OFF]),
    END,
  ];
}

const MAX_RESULTS = 3;
const MAX_RESULT_CHARACTERS = 1_500;

// Below this an article shares no more than a word with the query, and would only mislead the model.
const MIN_CONFIDENCE = 0.15;

// A source card stands for the answer, so it needs more than a result that the model merely read.
const SOURCE_CONFIDENCE = 0.34;

/** Runs one tool call. What the model got wrong comes back as a result it can read and correct. */
export function runTool(
  call: ToolCall,
  config: LlmAgentConfig,
  index: KnowledgeIndex | null,
  turn: AgentTurn,
): ToolOutcome {
  const args = parseArguments(call.arguments);
  if (args === null)
    return problem('The arguments are not a JSON object. Call the tool again with valid JSON.');
  if (call.name === SEARCH.function.name && index !== null) return search(args, config, index);
  if (call.name === NOTE.function.name) {
    const content = JSON.stringify({ noted: true });
    return { kind: 'result', content, sources: [], entities: readEntities(args), hasFailed: false };
  }
  const context = runContextTool(call.name, turn);
  if (context !== null) return { kind: 'result', content: context, sources: [], hasFailed: false };
  if (call.name === HAND_OFF.function.name && config.handoff !== null) {
    const reason = v.safeParse(v.picklist(['COMPLEX_QUERY', 'AGENT_DECISION', 'POLICY']), args['reason']);
    return {
      kind: 'ending',
      text: "I'm connecting you with a person now.",
      action: {
        type: 'handoff',
        ...config.handoff,
        reason: reason.success ? reason.output : 'AGENT_DECISION',
      },
    };
  }
  if (call.name === END.function.name) {
    return { kind: 'ending', text: 'Thank you for getting in touch. Goodbye!', action: { type: 'end' } };
  }
  return problem('There is no such tool. Answer without it.');
}

function search(
  args: Readonly<Record<string, unknown>>,
  config: LlmAgentConfig,
  index: KnowledgeIndex,
): ToolOutcome {
  const query = args['query'];
  if (typeof query !== 'string' || query.trim() === '')
    return problem('"query" must be a text. Call the tool again.');
  const found = rankArticles(index, readQuery(index, query))
    .slice(0, MAX_RESULTS)
    .filter(({ confidence }) => confidence >= MIN_CONFIDENCE);
  if (found.length === 0) {
    return {
      ...problem('No article covers this. Say so, and offer what else you can do.'),
      hasFailed: false,
    };
  }
  const results = found.map(({ article }) => {
    const text = article.sections
      .flatMap(({ heading, blocks }) => [...(heading === null ? [] : [`## ${heading}`]), ...blocks])
      .join('\n\n');
    return {
      title: article.title,
      text: resolveLinks(text, config.helpBaseUrl).slice(0, MAX_RESULT_CHARACTERS),
    };
  });
  const best = found[0];
  const isSource = best !== undefined && best.confidence >= SOURCE_CONFIDENCE;
  return {
    kind: 'result',
    content: JSON.stringify({ results }),
    sources: isSource ? sourceOf(best.article, config) : [],
    hasFailed: false,
  };
}

const MAX_ENTITIES = 10;
const MAX_ENTITY_CHARACTERS = 100;

/** The texts among the arguments; a model may give one text where a list was asked for. */
function readEntities(args: Readonly<Record<string, unknown>>): Entities {
  return Object.fromEntries(
    Object.keys(ENTITY_KINDS).flatMap((kind) => {
      const values = [args[kind] ?? []]
        .flat()
        .filter((value): value is string => typeof value === 'string' && value.trim() !== '')
        .slice(0, MAX_ENTITIES)
        .map((value) => value.trim().slice(0, MAX_ENTITY_CHARACTERS));
      return values.length === 0 ? [] : [[kind, values]];
    }),
  );
}

const problem = (message: string): Extract<ToolOutcome, { kind: 'result' }> => ({
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
