import type { AgentTurn } from '../agent.ts';
import { contextVariablesOf } from '../conversation-variables.ts';
import type { ChatMessage, ToolDefinition } from './chat-protocol.ts';
import { defineTool } from './define-tool.ts';

const MAX_EVENTS = 5;
const MAX_EVENT_CHARACTERS = 4_000;
const MAX_CONTEXT_CHARACTERS = 8_000;

const READ_CONTEXT = defineTool(
  'read_context',
  "Reads what the visitor's page and the integrator said about this conversation. Unverified facts, for a greeting or a guess.",
);

const READ_EVENTS = defineTool(
  'read_external_events',
  'Reads what other systems, such as a payment service, sent for this conversation.',
);

/** A tool that reads third-party text of a turn. `content` is its result, JSON that names its source; null: there is none. */
interface ContextTool {
  readonly definition: ToolDefinition;
  content(turn: AgentTurn): string | null;
}

const CONTEXT_TOOLS: readonly ContextTool[] = [
  { definition: READ_CONTEXT, content: readContext },
  { definition: READ_EVENTS, content: readEvents },
];

/** Returns the tools with data for this turn. */
export function contextToolsOf(turn: AgentTurn): readonly ToolDefinition[] {
  return CONTEXT_TOOLS.filter(({ content }) => content(turn) !== null).map(({ definition }) => definition);
}

/** Returns the result of a context tool, or null when no tool of this name has data. */
export function runContextTool(name: string, turn: AgentTurn): string | null {
  return CONTEXT_TOOLS.find(({ definition }) => definition.function.name === name)?.content(turn) ?? null;
}

/** Calls of all context tools with their results, so that the model need not ask for them. */
export function contextMessages(turn: AgentTurn): readonly ChatMessage[] {
  const results = CONTEXT_TOOLS.flatMap(({ definition, content }, position) => {
    const text = content(turn);
    const { name } = definition.function;
    return text === null ? [] : [{ id: `context0${position}`, name, text }];
  });
  if (results.length === 0) return [];
  return [
    {
      role: 'assistant',
      content: null,
      tool_calls: results.map(({ id, name }) => ({
        id,
        type: 'function',
        function: { name, arguments: '{}' },
      })),
    },
    ...results.map(({ id, text }): ChatMessage => ({ role: 'tool', tool_call_id: id, content: text })),
  ];
}

function readContext(turn: AgentTurn): string | null {
  const { attributes, page } = contextVariablesOf(turn);
  const metadata = turn.metadata ?? {};
  const sources = [
    { source: 'page of the visitor', facts: page },
    { source: 'integrator, for the conversation', facts: attributes },
    { source: 'integrator, for this turn', facts: metadata },
  ].filter(({ facts }) => Object.keys(facts).length > 0);
  if (sources.length === 0) return null;
  return JSON.stringify(
    sources.map(({ source, facts: values }) => ({ source, facts: shorten(values, MAX_CONTEXT_CHARACTERS) })),
  );
}

/** Only the events whose sender lets a model see them. Source: `rest.md`, EE-6. */
function readEvents(turn: AgentTurn): string | null {
  const events = (turn.externalEvents ?? []).filter(({ sendToLlm }) => sendToLlm).slice(-MAX_EVENTS);
  if (events.length === 0) return null;
  return JSON.stringify(
    events.map(({ name, createdAt, data }) => ({
      source: `external event "${name}"`,
      received_at: createdAt,
      data: shorten(data, MAX_EVENT_CHARACTERS),
    })),
  );
}

/** Returns the value, or the beginning of its JSON text if it is longer than `maxCharacters`. */
function shorten(value: unknown, maxCharacters: number): unknown {
  const text = JSON.stringify(value);
  return text === undefined || text.length <= maxCharacters ? value : `${text.slice(0, maxCharacters)}…`;
}
