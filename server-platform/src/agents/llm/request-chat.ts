import { readRetryAfter } from '@natter/sdk';
import type { OutboundAnswer, OutboundRequest } from '../../kit/http/outbound/index.ts';
import type { AgentClock } from '../agent-clock.ts';
import { type EndpointFailure, EndpointFailures } from '../endpoint/endpoint-failure.ts';
import { readServerEvents } from '../endpoint/read-server-events.ts';
import type { EndpointPorts } from '../endpoint/request-with-retries.ts';
import {
  type ChatChunk,
  type ChatDelta,
  type ChatRequest,
  type ModelApi,
  NO_DELTA,
  readError,
  type TokenUsage,
} from './chat-protocol.ts';
import { findModelApi } from './find-model-api.ts';
import type { LlmAgentConfig } from './llm-agent-config.ts';
import { ThinkingFilter } from './thinking-filter.ts';

const failures = new EndpointFailures('model endpoint');

// An answer of many hours. The turn's time limit ends it earlier.
const MAX_STREAM_BYTES = 256 * 1_048_576;

/**
 * Sends one request and yields what comes, as it comes. Ends after the finish reason, or with one `EndpointFailure`
 * as its last value. Throws only the reason of an aborted `signal`.
 */
export async function* requestChat(
  config: LlmAgentConfig,
  request: ChatRequest,
  ports: EndpointPorts,
  signal: AbortSignal,
): AsyncIterable<ChatDelta | EndpointFailure> {
  const { api, url } = findModelApi(config.url);
  const thinking = new ThinkingFilter();
  let hasStarted = false;
  let finishReason: string | null = null;
  let usage: TokenUsage | null = null;
  let answer: OutboundAnswer | null = null;
  const { firstWordMs } = config.timeouts;
  const late = new AbortController();
  const cancelLate = ports.clock.setTimer(() => late.abort(new Error('No word came in time.')), firstWordMs);
  try {
    const both = AbortSignal.any([signal, late.signal]);
    answer = await ports.client.send(toRequest(config, request, both));
    const refusal = await readRefusal(answer, ports.clock.now());
    if (refusal === 'content_filter') return yield { ...NO_DELTA, finishReason: refusal };
    if (refusal !== null) return yield refusal;
    const events = readServerEvents(answer)[Symbol.asyncIterator]();
    while (finishReason === null) {
      const next = await events.next();
      if (next.done === true) break;
      const chunk: ChatChunk = next.value === null ? { kind: 'malformed' } : api.decode(next.value);
      if (chunk.kind === 'delta') {
        const text = thinking.push(chunk.text);
        const isEmpty = text === '' && chunk.toolCalls.length === 0;
        hasStarted ||= !isEmpty;
        if (hasStarted) cancelLate();
        finishReason = chunk.finishReason;
        if (!isEmpty || chunk.usage !== null) yield { ...chunk, text, finishReason: null };
        if (finishReason !== null && chunk.usage === null) usage = await readUsage(events, api, ports.clock);
      } else if (chunk.kind === 'error') {
        return yield failures.inStream(chunk.code, chunk.status, hasStarted);
      } else if (chunk.kind === 'malformed') {
        return yield failures.ofFormat(`sent an event that ${url.pathname} does not have`, hasStarted);
      } else {
        // Some servers close with [DONE] without a reason; without text it is not an answer.
        if (hasStarted) finishReason = 'stop';
        break;
      }
    }
    const rest = thinking.end();
    if (finishReason === null) return yield failures.ofEarlyEnd(hasStarted);
    yield { ...NO_DELTA, text: rest, finishReason, usage };
  } catch (error) {
    signal.throwIfAborted();
    yield late.signal.aborted
      ? failures.ofNoText(firstWordMs)
      : failures.ofExchange(error, config.timeouts, hasStarted);
  } finally {
    cancelLate();
    answer?.discard();
  }
}

function toRequest(config: LlmAgentConfig, request: ChatRequest, signal: AbortSignal): OutboundRequest {
  const { firstByteMs, idleMs } = config.timeouts;
  const { api, url } = findModelApi(config.url);
  return {
    url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(config.apiKey === null ? {} : api.headers(config.apiKey, url)),
    },
    body: JSON.stringify(api.write(config, request)),
    limits: { firstByteTimeoutMs: firstByteMs, idleTimeoutMs: idleMs, maxBytes: MAX_STREAM_BYTES },
    signal,
  };
}

/** The failure behind an answer that is no stream; `content_filter`: the endpoint does not take the question. */
async function readRefusal(
  answer: OutboundAnswer,
  nowMs: number,
): Promise<EndpointFailure | 'content_filter' | null> {
  const type = answer.header('content-type') ?? '';
  if (answer.isOk && /^text\/event-stream\b/i.test(type)) return null;
  const retryAfterMs = readRetryAfter(answer.header('retry-after'), nowMs);
  const body = await readSmallJson(answer);
  const { code, status } = readError(isRecord(body) && 'error' in body ? body['error'] : body);
  if (answer.status === 400 && code === 'content_filter') return 'content_filter';
  if (!answer.isOk) return failures.ofStatus(answer.status, code, retryAfterMs);
  if (status !== null) return failures.ofStatus(status, code, retryAfterMs);
  return failures.ofFormat(
    'answered without a stream. Check that the address speaks chat completions',
    false,
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const MAX_ERROR_BYTES = 65_536;

/** An error body is small; anything else, and anything unreadable, counts as none. */
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

// After its last word an answer may be followed by its usage, and a visitor waits for the end.
const USAGE_MS = 2_000;

/** Reads what follows a complete answer, for a moment: the usage, where the endpoint sends one. */
async function readUsage(
  events: AsyncIterator<string | null>,
  { decode }: ModelApi,
  clock: AgentClock,
): Promise<TokenUsage | null> {
  let cancel = (): void => {};
  const late = new Promise<null>((resolve) => {
    cancel = clock.setTimer(() => resolve(null), USAGE_MS);
  });
  try {
    for (;;) {
      const next = await Promise.race([events.next(), late]);
      if (next === null || next.done === true || next.value === null) return null;
      const chunk = decode(next.value);
      if (chunk.kind !== 'delta') return null;
      if (chunk.usage !== null) return chunk.usage;
    }
  } catch {
    // The answer is complete, so a connection that breaks now has no effect.
    return null;
  } finally {
    cancel();
  }
}
