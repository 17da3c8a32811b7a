import { createOutboundClient } from '../../http/index.ts';
import type { Agent, AgentAction, AgentAttachment, AgentTurn } from '../agent.ts';
import { systemAgentClock } from '../agent-clock.ts';
import { AgentError } from '../agent-error.ts';
import { fillTemplate } from '../fill-template.ts';
import { givenFactsOf } from '../given-state.ts';
import type { KnowledgeIndex } from '../knowledge/knowledge-index.ts';
import { toSuggestions } from '../knowledge/reply.ts';
import type { Sailings } from '../knowledge/time/sailings.ts';
import { answerWithoutModel } from './answer-without-model.ts';
import { askModel } from './ask-model.ts';
import { ToolCallAssembly } from './assemble-tool-calls.ts';
import { buildMessages } from './build-messages.ts';
import type { LlmPorts } from './chat-endpoint.ts';
import type { ChatMessage, ToolCall, ToolDefinition } from './chat-protocol.ts';
import type { LlmAgentConfig } from './llm-agent-config.ts';
import { lookUpSailings, SAILINGS_TOOL } from './sailings-tool.ts';
import { parseArguments, runTool, toolsOf } from './tools.ts';

/**
 * An agent that lets a model answer, over any OpenAI-compatible chat-completions endpoint. The model may look things
 * up in the same articles as the knowledge agent, hand over to a person and end the conversation.
 *
 * Text is passed on as it comes. Fails with an `AgentError`; see its codes. The greeting needs no endpoint, so a
 * conversation can always start.
 */
export function createLlmAgent(
  config: LlmAgentConfig,
  index: KnowledgeIndex | null,
  ports: Partial<LlmPorts> = {},
  sailings: Sailings | null = null,
): Agent {
  const { clock = systemAgentClock, random = Math.random } = ports;
  const client = ports.client ?? createOutboundClient({ allowsPrivateAddresses: true, clock });
  const allPorts: LlmPorts = { client, clock, random };
  return {
    name: config.name,
    avatarUrl: config.avatarUrl,
    run: (turn) => {
      if (turn.kind === 'greeting') return greet(config, turn);
      const actions = answerWithoutModel(turn, config);
      return actions === null ? converse(config, { index, sailings }, turn, allPorts) : say(actions);
    },
  };
}

async function* greet(config: LlmAgentConfig, turn: AgentTurn): AsyncIterable<AgentAction> {
  yield { type: 'intent', name: 'greeting' };
  yield { type: 'text', text: fillTemplate(config.greeting, givenFactsOf(turn)) };
  const suggestions = toSuggestions(config.starters.slice(0, 3));
  if (suggestions.length > 0) yield { type: 'suggestions', suggestions };
}

/** What the model may look things up in. */
interface Knowledge {
  readonly index: KnowledgeIndex | null;
  readonly sailings: Sailings | null;
}

async function* say(actions: readonly AgentAction[]): AsyncIterable<AgentAction> {
  yield* actions;
}

async function* converse(
  config: LlmAgentConfig,
  knowledge: Knowledge,
  turn: AgentTurn,
  ports: LlmPorts,
): AsyncIterable<AgentAction> {
  const total = new AbortController();
  const { totalMs } = config.timeouts;
  const cancelTotal = ports.clock.setTimer(() => {
    total.abort(
      new AgentError('timeout', `The model did not finish the turn within ${totalMs} ms.`, {
        retryable: true,
      }),
    );
  }, totalMs);
  try {
    yield* answer(config, knowledge, turn, ports, AbortSignal.any([turn.signal, total.signal]));
  } finally {
    cancelTotal();
  }
}

async function* answer(
  config: LlmAgentConfig,
  { index, sailings }: Knowledge,
  turn: AgentTurn,
  ports: LlmPorts,
  signal: AbortSignal,
): AsyncIterable<AgentAction> {
  const startedAt = ports.clock.now();
  const tools = [...toolsOf(config, index, turn), ...(sailings === null ? [] : [SAILINGS_TOOL])];
  const messages: ChatMessage[] = [...buildMessages(config, turn, startedAt)];
  let sources: readonly AgentAttachment[] = [];
  let said = '';
  for (let step = 1; step <= config.maxSteps; step += 1) {
    const isLast = step === config.maxSteps;
    const assembly = new ToolCallAssembly();
    let text = '';
    for await (const delta of askModel(config, { messages, tools, mayCallTools: !isLast }, ports, signal)) {
      for (const piece of delta.toolCalls) assembly.add(piece);
      if (delta.text === '') continue;
      if (said === '')
        yield { type: 'metric', name: 'llm_first_token_ms', value: ports.clock.now() - startedAt };
      // What was said before a tool ran and what comes after it are two paragraphs.
      const gap = text === '' && said !== '' && !/\s$/.test(said) ? '\n\n' : '';
      text += delta.text;
      said += gap + delta.text;
      yield { type: 'text', text: gap + delta.text };
    }
    signal.throwIfAborted();
    const calls = isLast ? [] : assembly.complete();
    if (calls.length === 0) break;
    messages.push(asMessage(text, calls));
    for (const call of calls) {
      const args = call.name === SAILINGS_TOOL.function.name ? parseArguments(call.arguments) : null;
      if (args !== null && sailings !== null) {
        const content = lookUpSailings(args, sailings, ports.clock.now(), config.timeZone);
        messages.push({ role: 'tool', tool_call_id: call.id, content });
        continue;
      }
      const outcome = runTool(call, config, index, turn);
      if (outcome.kind === 'ending') {
        if (said === '') yield { type: 'text', text: outcome.text };
        yield { type: 'metric', name: 'llm_steps', value: step };
        return yield outcome.action;
      }
      if (outcome.entities !== undefined) yield { type: 'entities', found: outcome.entities };
      if (outcome.hasFailed) yield { type: 'function_error', name: nameOf(call, tools) };
      if (outcome.sources.length > 0) sources = outcome.sources;
      messages.push({ role: 'tool', tool_call_id: call.id, content: outcome.content });
    }
  }
  if (said.trim() === '') {
    throw new AgentError(
      'unavailable',
      'The model finished without an answer. Check the model and its limits.',
      { retryable: true },
    );
  }
  for (const attachment of sources) yield { type: 'attachment', attachment };
}

/** The name of the tool, which a model may have made up: only names of ours go on record. */
function nameOf(call: ToolCall, tools: readonly ToolDefinition[]): string {
  return tools.some((tool) => tool.function.name === call.name) ? call.name : 'unknown_tool';
}

function asMessage(text: string, calls: readonly ToolCall[]): ChatMessage {
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    tool_calls: calls.map((call) => ({
      id: call.id,
      type: 'function',
      // Endpoints refuse a history whose arguments are no JSON; the result tells the model what was wrong.
      function: {
        name: call.name,
        arguments: parseArguments(call.arguments) === null ? '{}' : call.arguments,
      },
    })),
  };
}
