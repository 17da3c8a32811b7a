import * as v from 'valibot';
import type { LlmAgentConfig } from './llm-agent-config.ts';

/** A tool the model wants run, complete. `arguments` is JSON text as the model wrote it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** Value that the endpoint expects back with the call, such as the signature of a thought; null: none. */
  readonly extra: unknown;
}

/** One message of a request, in the shape of chat completions. */
export type ChatMessage =
  | { readonly role: 'user' | 'assistant'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly tool_calls: readonly WireToolCall[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** A tool call in a request. */
export interface WireToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
  readonly extra_content?: unknown;
}

/** A tool as offered to the model; `parameters` is a JSON Schema. */
export interface ToolDefinition {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  };
}

/** A piece of a tool call. Pieces with the same `index` belong together. */
export interface ToolCallPiece {
  readonly index: number | null;
  readonly id: string | null;
  readonly name: string | null;
  readonly arguments: string;
  readonly extra: unknown;
}

/** Tokens of one request, as the endpoint counts them. */
export interface TokenUsage {
  readonly prompt: number;
  /** Prompt tokens that the endpoint read from its cache. */
  readonly cached: number;
  readonly answer: number;
}

/** A piece of an answer, without thinking. */
export interface ChatDelta {
  readonly kind: 'delta';
  readonly text: string;
  readonly toolCalls: readonly ToolCallPiece[];
  /** Null until the answer is complete; `content_filter` where the endpoint withholds it. */
  readonly finishReason: string | null;
  readonly usage: TokenUsage | null;
}

/** Content of one `data:` line of the stream. */
export type ChatChunk =
  | ChatDelta
  | { readonly kind: 'done' }
  | { readonly kind: 'error'; readonly code: string | null; readonly status: number | null }
  | { readonly kind: 'malformed' };

/** One request to the model. */
export interface ChatRequest {
  readonly system: SystemText;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDefinition[];
  /** False: the model must answer now. The tools are named all the same, because `messages` holds calls of them. */
  readonly mayCallTools: boolean;
}

/** The instructions: first those that are the same in all conversations, which endpoints may cache. */
export interface SystemText {
  readonly lasting: string;
  readonly current: string;
}

/** Adapter for one kind of API. */
export interface ModelApi {
  headers(apiKey: string, url: URL): Readonly<Record<string, string>>;
  write(config: LlmAgentConfig, request: ChatRequest): Readonly<Record<string, unknown>>;
  /** Reads the data of one event of a stream. Never throws. */
  decode(data: string): ChatChunk;
}

/** An empty delta. */
export const NO_DELTA: ChatDelta = {
  kind: 'delta',
  text: '',
  toolCalls: [],
  finishReason: null,
  usage: null,
};

/** The JSON of an event; undefined when it is not JSON. */
export function readJson(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

const errorSchema = v.object({
  code: v.optional(v.unknown()),
  type: v.optional(v.unknown()),
  status: v.optional(v.unknown()),
});

// The short names that common endpoints use. Others are dropped: an unknown text may quote the key as well.
const KNOWN_CODES: ReadonlySet<string> = new Set([
  ...[
    'api_error',
    'authentication_error',
    'billing_hard_limit_reached',
    'content_filter',
    'context_length_exceeded',
  ],
  ...[
    'engine_overloaded',
    'insufficient_quota',
    'internal_error',
    'internal_server_error',
    'invalid_api_key',
  ],
  ...['invalid_request_error', 'model_not_found', 'not_found_error', 'overloaded', 'overloaded_error'],
  ...[
    'permission_error',
    'rate_limit_error',
    'rate_limit_exceeded',
    'requests',
    'resource_exhausted',
    'server_error',
  ],
  ...['service_unavailable', 'timeout', 'tokens', 'unavailable', 'RESOURCE_EXHAUSTED', 'UNAVAILABLE'],
]);

/** An error object of the endpoint; its free text is dropped, since it may quote the prompt or the key. */
export function readError(error: unknown): { kind: 'error'; code: string | null; status: number | null } {
  const parsed = v.safeParse(errorSchema, error);
  if (!parsed.success) return { kind: 'error', code: null, status: null };
  const { code, type, status } = parsed.output;
  const named = [code, type].find((each) => typeof each === 'string' && KNOWN_CODES.has(each));
  const numeric = [status, code].map(Number).find((each) => each >= 400 && each < 600);
  return { kind: 'error', code: typeof named === 'string' ? named : null, status: numeric ?? null };
}
