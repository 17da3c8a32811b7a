import { createParser } from 'eventsource-parser';
import type { AgentClock } from '../agent-clock.ts';
import { AgentError, isAgentError } from '../agent-error.ts';
import { chatCompletionsUrl } from './chat-completions-url.ts';
import {
  type ChatChunk,
  type ChatMessage,
  decodeChatChunk,
  readError,
  type ToolDefinition,
} from './chat-protocol.ts';
import {
  type EndpointFailure,
  failureInStream,
  failureOfEarlyEnd,
  failureOfFormat,
  failureOfNetwork,
  failureOfStatus,
  readRetryAfter,
} from './endpoint-failure.ts';
import type { LlmAgentConfig } from './llm-agent-config.ts';

/** The world around an LLM agent. */
export interface LlmPorts {
  readonly fetch: typeof fetch;
  readonly clock: AgentClock;
  /** A number from 0 to below 1, for the variation of pauses. */
  readonly random: () => number;
}

/** One request to the model. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDefinition[];
  /** False: the model must answer now. The tools are named all the same, because `messages` holds calls of them. */
  readonly mayCallTools: boolean;
}

/** A piece of the model's answer. */
export type ChatDelta = Extract<ChatChunk, { kind: 'delta' }>;

// One event is a few words; a server that sends this much without a blank line sends something else.
const MAX_EVENT_CHARACTERS = 1_048_576;

/**
 * Sends one request and yields what comes, as it comes. Ends after the finish reason, or with one `EndpointFailure`
 * as its last value. Throws only the reason of an aborted `signal`.
 */
export async function* requestChat(
  config: LlmAgentConfig,
  request: ChatRequest,
  ports: LlmPorts,
  signal: AbortSignal,
): AsyncIterable<ChatDelta | EndpointFailure> {
  const attempt = new AbortController();
  const either = AbortSignal.any([signal, attempt.signal]);
  const within = <T>(limitMs: number, what: string, work: () => Promise<T>): Promise<T> => {
    const cancel = ports.clock.setTimer(() => {
      attempt.abort(new AgentError('timeout', `${what} within ${limitMs} ms.`, { retryable: true }));
    }, limitMs);
    return work().finally(cancel);
  };
  const firstByteBy = ports.clock.now() + config.timeouts.firstByteMs;
  let hasStarted = false;
  try {
    const response = await within(config.timeouts.firstByteMs, 'The model endpoint sent no answer', () =>
      ports.fetch(chatCompletionsUrl(config.url), { ...toInit(config, request), signal: either }),
    );
    const refusal = await readRefusal(response, ports, config, within);
    if (refusal !== null) return yield refusal;
    for await (const chunk of readChunks(response, firstByteBy - ports.clock.now(), config, within)) {
      if (chunk.kind === 'delta') {
        const isEmpty = chunk.text === '' && chunk.toolCalls.length === 0;
        hasStarted ||= !isEmpty;
        if (!isEmpty || chunk.finishReason !== null) yield chunk;
        // Later chunks (usage, [DONE]) add nothing to the answer, and may never arrive.
        if (chunk.finishReason !== null) return;
      } else if (chunk.kind === 'error') {
        return yield failureInStream(chunk.code, chunk.status, hasStarted);
      } else if (chunk.kind === 'malformed') {
        return yield failureOfFormat(
          'The model stream holds an event that is no chat-completions chunk.',
          hasStarted,
        );
      } else {
        // Some servers close with [DONE] and never name a reason; without any text it is no answer.
        if (hasStarted) return yield { kind: 'delta', text: '', toolCalls: [], finishReason: 'stop' };
        return yield failureOfEarlyEnd(false);
      }
    }
    yield failureOfEarlyEnd(hasStarted);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const reason: unknown = attempt.signal.aborted ? attempt.signal.reason : error;
    if (isAgentError(reason)) yield { kind: 'failed', error: reason, mayRetry: false, retryAfterMs: null };
    else yield failureOfNetwork(reason, hasStarted);
  } finally {
    // Also when the reader stops early, so that the model stops writing.
    attempt.abort();
  }
}

type Within = <T>(limitMs: number, what: string, work: () => Promise<T>) => Promise<T>;

function toInit(config: LlmAgentConfig, { messages, tools, mayCallTools }: ChatRequest): RequestInit {
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(config.apiKey === null ? {} : { authorization: `Bearer ${config.apiKey}` }),
    },
    // A redirect could carry the conversation to another host.
    redirect: 'error',
    body: JSON.stringify({
      ...config.extraBody,
      model: config.model,
      messages,
      stream: true,
      ...(tools.length === 0 ? {} : { tools, tool_choice: mayCallTools ? 'auto' : 'none' }),
    }),
  };
}

async function readRefusal(
  response: Response,
  { clock }: LlmPorts,
  { timeouts }: LlmAgentConfig,
  within: Within,
): Promise<EndpointFailure | null> {
  const type = response.headers.get('content-type') ?? '';
  if (response.ok && /^text\/event-stream\b/i.test(type)) return null;
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), clock.now());
  const body = await within(timeouts.idleMs, 'The model endpoint did not finish its error', () =>
    readSmallJson(response),
  );
  const { code, status } = readError(isRecord(body) && 'error' in body ? body['error'] : body);
  if (!response.ok) return failureOfStatus(response.status, code, retryAfterMs);
  if (status !== null) return failureOfStatus(status, code, retryAfterMs);
  return failureOfFormat(
    'The model endpoint answered without a stream. Check that the address speaks chat completions.',
    false,
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const MAX_ERROR_BYTES = 65_536;

/** An error body is small; anything else, and anything unreadable, is as good as none. */
async function readSmallJson(response: Response): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > MAX_ERROR_BYTES) return null;
  }
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function* readChunks(
  response: Response,
  firstByteMs: number,
  { timeouts }: LlmAgentConfig,
  within: Within,
): AsyncIterable<ChatChunk> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  let pending: string[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onEvent: ({ data }) => pending.push(data),
    onError: (error) => {
      isTooLong ||= error.type === 'max-buffer-size-exceeded';
    },
  });
  let isFirst = true;
  for (;;) {
    const { done, value } = isFirst
      ? await within(firstByteMs, 'The model began no answer', () => reader.read())
      : await within(timeouts.idleMs, 'The model went silent in its answer: nothing came', () =>
          reader.read(),
        );
    isFirst = false;
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
    const ready = pending;
    pending = [];
    for (const data of ready) yield decodeChatChunk(data);
    if (isTooLong) return yield { kind: 'malformed' };
  }
}
