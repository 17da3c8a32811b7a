import { steadyClock } from '../../kit/clock.ts';
import { createOutboundClient } from '../../kit/http/outbound/index.ts';
import type { Agent, AgentAction, AgentAttachment, AgentTurn } from '../agent.ts';
import { systemAgentClock } from '../agent-clock.ts';
import { AgentError, isAgentError } from '../agent-error.ts';
import { detectLanguage } from '../articles/intents/detect-language.ts';
import { languageOfReplies, sayIn } from '../articles/intents/replies.ts';
import type { KnowledgeIndex } from '../articles/passages/knowledge-index.ts';
import { NO_TRANSLATIONS, type Translations } from '../articles/passages/translations.ts';
import { toSuggestions } from '../articles/reply.ts';
import { localTimeAt } from '../articles/time/local-day.ts';
import { contextVariablesOf } from '../conversation-variables.ts';
import { limitTurn } from '../endpoint/limit-turn.ts';
import { type EndpointPorts, requestWithRetries } from '../endpoint/request-with-retries.ts';
import { fillTemplate } from '../fill-template.ts';
import type { AgentTool } from '../tools/agent-tool.ts';
import { answerWithoutModel } from './answer-without-model.ts';
import { ToolCallAssembly } from './assemble-tool-calls.ts';
import { buildMessages } from './build-messages.ts';
import { callTool, definitionOf } from './call-tool.ts';
import type { ChatMessage, ToolCall, ToolDefinition } from './chat-protocol.ts';
import { CitationFilter, CitedSources } from './cited-sources.ts';
import type { LlmAgentConfig } from './llm-agent-config.ts';
import { type GuardRefusal, ModelGuard, type SpendingStore } from './model-guard.ts';
import { requestChat } from './request-chat.ts';
import { writeSystemText } from './system-text.ts';
import { parseArguments, runTool, toolsOf } from './tools.ts';
import { TurnSpending } from './turn-spending.ts';

/**
 * An agent that lets a model answer, over one of the APIs that `find-model-api.ts` names. The model may look things up
 * in the same articles as the knowledge agent, hand over to a person and end the conversation.
 *
 * Text is passed on as it comes. Fails with an `AgentError`; see its codes. The greeting needs no endpoint, so a
 * conversation can always start.
 */
export function createLlmAgent(
  config: LlmAgentConfig,
  index: KnowledgeIndex | null,
  ports: Partial<EndpointPorts> = {},
  options: LlmAgentOptions = {},
): Agent {
  const { clock = systemAgentClock, random = Math.random } = ports;
  const client = ports.client ?? createOutboundClient({ allowsPrivateAddresses: true, clock });
  const { tools: ownTools = [], standIn = () => null, onFailure = () => {} } = options;
  const { translations = NO_TRANSLATIONS } = options;
  const guard = options.guard ?? new ModelGuard(config);
  const spending = { store: options.spending ?? null, onFailure: options.onSpendingFailure ?? (() => {}) };
  const model: Model = {
    config,
    index,
    translations,
    ownTools,
    ports: { client, clock, random },
    guard,
    spending,
  };
  return {
    name: config.name,
    avatarUrl: config.avatarUrl,
    run: (turn) => {
      if (turn.kind === 'greeting') return greet(config, turn);
      const actions = answerWithoutModel(turn, config);
      return actions === null ? answerSomehow(model, turn, standIn, onFailure) : say(actions);
    },
  };
}

/** Optional dependencies of an LLM agent. */
export interface LlmAgentOptions {
  readonly tools?: readonly AgentTool[];
  /** The articles in other languages than the main one. */
  readonly translations?: Translations;
  /** The agent that answers when the model cannot; null: there is none. */
  readonly standIn?: () => Agent | null;
  /** Default: a separate one. */
  readonly guard?: ModelGuard | null;
  /** Reports the failure of a turn that the fallback answers. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
  /** Keeps what projects spend on a day; null: this agent alone does. */
  readonly spending?: SpendingStore | null;
  /** Reports that it could not be read or written: this node goes by its own count. */
  readonly onSpendingFailure?: ((error: unknown) => void) | undefined;
}

/** The model and its search. */
interface Model {
  readonly config: LlmAgentConfig;
  readonly index: KnowledgeIndex | null;
  readonly translations: Translations;
  readonly ownTools: readonly AgentTool[];
  readonly ports: EndpointPorts;
  readonly guard: ModelGuard;
  readonly spending: {
    readonly store: SpendingStore | null;
    readonly onFailure: (error: unknown) => void;
  };
}

/** Answers with the model, or with the fallback if the model is unavailable or fails before its first word. */
async function* answerSomehow(
  model: Model,
  turn: AgentTurn,
  standIn: () => Agent | null,
  onFailure: (error: unknown) => void,
): AsyncIterable<AgentAction> {
  const { config, ports } = model;
  const { clock } = ports;
  const refusal = await refuse(model, turn);
  let reason: string;
  if (refusal === null) {
    const limits = { totalMs: config.timeouts.totalMs, clock };
    let hasSpoken = false;
    try {
      for await (const action of limitTurn(turn, limits, (signal) => answer(model, turn, signal))) {
        hasSpoken ||= action.type === 'text' || action.type === 'handoff';
        yield action;
      }
      return;
    } catch (error) {
      const mayStandIn = turn.kind === 'message' && !turn.signal.aborted && !hasSpoken;
      if (!mayStandIn || !isAgentError(error) || standIn() === null) throw error;
      reason = error.code;
      onFailure(error);
      yield { type: 'api_error' };
    }
  } else {
    reason = refusal;
    if (model.guard.isNews(turn, refusal)) onFailure(refused(refusal));
  }
  const other = turn.kind === 'message' ? standIn() : null;
  if (other === null) throw refused(refusal);
  yield { type: 'metric', name: 'llm_stand_in', value: reason };
  yield* other.run(turn);
}

/** Why the model is not asked. Where the day's sums cannot be read, this node's own ones decide. */
async function refuse({ guard, spending, ...model }: Model, turn: AgentTurn): Promise<GuardRefusal | null> {
  const [nowMs, day] = [steadyClock.now(), dayOf(model)];
  try {
    return await guard.refuse(turn, nowMs, day, spending.store);
  } catch (error) {
    spending.onFailure(error);
    return await guard.refuse(turn, nowMs, day);
  }
}

function refused(refusal: GuardRefusal | null): AgentError {
  return refusal === 'endpoint_away' || refusal === null
    ? new AgentError('unavailable', 'The model endpoint failed several times in a row. Check its state.', {
        retryable: true,
      })
    : new AgentError(
        'overloaded',
        `The agent's ${refusal} is used up. Raise tokenLimits or costLimits, or wait.`,
        {
          retryable: false,
        },
      );
}

const dayOf = ({ config, ports }: Pick<Model, 'config' | 'ports'>): number =>
  localTimeAt(ports.clock.now(), config.timeZone).day;

async function* greet(config: LlmAgentConfig, turn: AgentTurn): AsyncIterable<AgentAction> {
  yield { type: 'intent', name: 'greeting' };
  yield { type: 'text', text: fillTemplate(config.greeting, contextVariablesOf(turn)) };
  const suggestions = toSuggestions(config.starters.slice(0, 3));
  if (suggestions.length > 0) yield { type: 'suggestions', suggestions };
}

async function* say(actions: readonly AgentAction[]): AsyncIterable<AgentAction> {
  yield* actions;
}

/** Lets the model answer, and counts what that takes, however it ends. */
async function* answer(model: Model, turn: AgentTurn, signal: AbortSignal): AsyncIterable<AgentAction> {
  const { guard, spending } = model;
  const spent = new TurnSpending(model.config.prices);
  try {
    yield* answerCounted(model, turn, signal, spent);
  } catch (error) {
    if (isAgentError(error) && REFUSALS.has(error.code)) spent.dropRefused();
    throw error;
  } finally {
    spent.endRequest();
    await guard.spend(turn, spent.sum, dayOf(model), spending.store).catch(spending.onFailure);
  }
}

/** The articles that a turn may be answered from: those in the language that the visitor writes, then the main ones. */
async function indexesFor(
  { text, language }: AgentTurn,
  { index, translations }: Model,
): Promise<readonly KnowledgeIndex[]> {
  const conversation = language.slice(0, 2).toLowerCase();
  const own = await translations.get(detectLanguage(text, conversation) ?? conversation)?.();
  return [own ?? null, index].filter((each) => each !== null);
}

// Nobody pays for a request that the endpoint has not taken.
const REFUSALS: ReadonlySet<string> = new Set(['unavailable', 'overloaded']);

async function* answerCounted(
  model: Model,
  turn: AgentTurn,
  signal: AbortSignal,
  spent: TurnSpending,
): AsyncIterable<AgentAction> {
  const { config, index, ownTools, ports, guard } = model;
  const startedAt = ports.clock.now();
  const tools = [...toolsOf(config, index, turn), ...ownTools.map(definitionOf)];
  const system = writeSystemText(config, turn, startedAt);
  const messages: ChatMessage[] = [...buildMessages(config, turn)];
  const sources = new CitedSources();
  let toolCards: readonly AgentAttachment[] = [];
  let answerText = '';
  let isWithheld = false;
  const recordUsage = (): readonly AgentAction[] => {
    const set = guard.stateAfter(turn, spent.sum);
    return [...spent.metrics(), ...(set === null ? [] : [{ type: 'state' as const, set }])];
  };
  for (let step = 1; step <= config.maxSteps; step += 1) {
    const isLast = step === config.maxSteps;
    const assembly = new ToolCallAssembly(step);
    let text = '';
    let written = '';
    const citations = new CitationFilter(sources);
    const request = { system, messages, tools, mayCallTools: !isLast };
    spent.beginRequest(request);
    const send = (): ReturnType<typeof requestChat> => requestChat(config, request, ports, signal);
    for await (const delta of noteOutcome(
      model,
      requestWithRetries(send, config.retries, ports, signal),
      signal,
    )) {
      isWithheld ||= delta.finishReason === 'content_filter';
      spent.note(delta);
      for (const piece of delta.toolCalls) assembly.add(piece);
      written += delta.text;
      const shown = citations.push(delta.text) + (delta.finishReason === null ? '' : citations.end());
      if (shown === '') continue;
      if (answerText === '')
        yield { type: 'metric', name: 'llm_first_token_ms', value: ports.clock.now() - startedAt };
      // The texts before and after a tool call are two paragraphs.
      const gap = text === '' && answerText !== '' && !/\s$/.test(answerText) ? '\n\n' : '';
      text += shown;
      answerText += gap + shown;
      yield { type: 'text', text: gap + shown };
    }
    signal.throwIfAborted();
    spent.endRequest();
    const calls = isLast ? [] : assembly.complete();
    if (calls.length === 0) break;
    messages.push(asMessage(written, calls));
    for (const call of calls) {
      const own = ownTools.find(({ name }) => name === call.name);
      const outcome =
        own === undefined
          ? runTool(call, config, await indexesFor(turn, model), turn, sources)
          : await callTool(own, call, config, index, turn, ports.clock.now(), signal);
      if (outcome.kind === 'ending') {
        if (answerText === '') yield { type: 'text', text: outcome.text };
        yield { type: 'metric', name: 'llm_steps', value: step };
        yield* recordUsage();
        if (outcome.action !== null) return yield outcome.action;
        return yield { type: 'metric', name: 'out_of_domain', value: true };
      }
      const { language = null } = outcome;
      if (language !== null && language !== turn.language && answerText === '')
        yield { type: 'language', languageCode: language };
      if (outcome.entities !== undefined) yield { type: 'entities', found: outcome.entities };
      for (const name of outcome.intents ?? []) yield { type: 'intent', name };
      if (outcome.isOutOfDomain === true) yield { type: 'metric', name: 'out_of_domain', value: true };
      if (outcome.hasFailed) yield { type: 'function_error', name: nameOf(call, tools) };
      if (outcome.sources.length > 0) toolCards = outcome.sources;
      messages.push({ role: 'tool', tool_call_id: call.id, content: outcome.content });
    }
  }
  yield* recordUsage();
  if (isWithheld) yield { type: 'metric', name: 'llm_content_filter', value: true };
  if (isWithheld && answerText.trim() === '') {
    yield { type: 'text', text: decline(turn, config) };
    return;
  }
  if (answerText.trim() === '') {
    throw new AgentError(
      'unavailable',
      'The model finished without an answer. Check the model and its limits.',
      { retryable: true },
    );
  }
  for (const attachment of [...sources.cards, ...toolCards]) yield { type: 'attachment', attachment };
}

/** Passes an answer on, and reports to the guard whether it came. An answer that the visitor stops is not a failure. */
async function* noteOutcome<T>(
  { guard }: Model,
  pieces: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncIterable<T> {
  try {
    yield* pieces;
    guard.note(true, steadyClock.now());
  } catch (error) {
    if (isAgentError(signal.aborted ? signal.reason : error)) guard.note(false, steadyClock.now());
    throw error;
  }
}

/** The text shown when the endpoint's filter withholds the answer. */
function decline({ language }: AgentTurn, { replies, handoff }: LlmAgentConfig): string {
  const say = sayIn(languageOfReplies(language), replies, 0);
  return handoff === null ? say('no_answer') : `${say('no_answer')} ${say('person_offer')}`;
}

/** Returns the tool's name for the record, or none: a model may invent a name. */
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
      // Endpoints refuse a history with arguments that are not JSON; the result names the fault for the model.
      function: {
        name: call.name,
        arguments: parseArguments(call.arguments) === null ? '{}' : call.arguments,
      },
      ...(call.extra !== null && { extra_content: call.extra }),
    })),
  };
}
