import { createParser } from 'eventsource-parser';
import {
  isOutboundError,
  type OutboundAnswer,
  type OutboundClient,
  type OutboundRequest,
} from '../../http/index.ts';
import type { AgentClock } from '../agent-clock.ts';
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
  failureOfTimeout,
  readRetryAfter,
} from './endpoint-failure.ts';
import type { LlmAgentConfig } from './llm-agent-config.ts';

/** The world around an LLM agent. */
export interface LlmPorts {
  readonly client: OutboundClient;
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
// An answer of many hours. The turn's limit of time comes first.
const MAX_STREAM_BYTES = 256 * 1_048_576;

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
  let hasStarted = false;
  try {
    const answer = await ports.client.send(toRequest(config, request, signal));
    const refusal = await readRefusal(answer, ports.clock.now());
    if (refusal !== null) return yield refusal;
    for await (const chunk of readChunks(answer)) {
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
    if (!isOutboundError(error)) throw error;
    if (error.code === 'timeout') yield failureOfTimeout(error.phase, config.timeouts);
    else if (error.code === 'too_large')
      yield failureOfFormat('The model endpoint sent far more than an answer.', hasStarted);
    else yield failureOfNetwork(error, hasStarted);
  }
}

function toRequest(
  config: LlmAgentConfig,
  { messages, tools, mayCallTools }: ChatRequest,
  signal: AbortSignal,
): OutboundRequest {
  const { firstByteMs, idleMs } = config.timeouts;
  return {
    url: chatCompletionsUrl(config.url),
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(config.apiKey === null ? {} : { authorization: `Bearer ${config.apiKey}` }),
    },
    body: JSON.stringify({
      ...config.extraBody,
      model: config.model,
      messages,
      stream: true,
      ...(tools.length === 0 ? {} : { tools, tool_choice: mayCallTools ? 'auto' : 'none' }),
    }),
    limits: { firstByteTimeoutMs: firstByteMs, idleTimeoutMs: idleMs, maxBytes: MAX_STREAM_BYTES },
    signal,
  };
}

async function readRefusal(answer: OutboundAnswer, nowMs: number): Promise<EndpointFailure | null> {
  const type = answer.header('content-type') ?? '';
  if (answer.isOk && /^text\/event-stream\b/i.test(type)) return null;
  const retryAfterMs = readRetryAfter(answer.header('retry-after'), nowMs);
  const body = await readSmallJson(answer);
  const { code, status } = readError(isRecord(body) && 'error' in body ? body['error'] : body);
  if (!answer.isOk) return failureOfStatus(answer.status, code, retryAfterMs);
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
async function readSmallJson(answer: OutboundAnswer): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of answer.pieces()) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > MAX_ERROR_BYTES) return null;
  }
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function* readChunks(answer: OutboundAnswer): AsyncIterable<ChatChunk> {
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
  for await (const piece of answer.pieces()) {
    parser.feed(decoder.decode(piece, { stream: true }));
    const ready = pending;
    pending = [];
    for (const data of ready) yield decodeChatChunk(data);
    if (isTooLong) return yield { kind: 'malformed' };
  }
}
