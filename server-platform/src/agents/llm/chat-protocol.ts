import * as v from 'valibot';

/** A tool the model wants run, complete. `arguments` is JSON text as the model wrote it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** One message of a chat-completions request. */
export type ChatMessage =
  | { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly tool_calls: readonly WireToolCall[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** A tool call as it stands in a request. */
export interface WireToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A tool as it is offered to the model; `parameters` is a JSON Schema. */
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
}

/** What one `data:` line of the stream says. */
export type ChatChunk =
  | {
      readonly kind: 'delta';
      readonly text: string;
      readonly toolCalls: readonly ToolCallPiece[];
      readonly finishReason: string | null;
    }
  | { readonly kind: 'done' }
  | { readonly kind: 'error'; readonly code: string | null; readonly status: number | null }
  | { readonly kind: 'malformed' };

const textOrNull = v.optional(v.nullable(v.string()), null);

const toolCallSchema = v.object({
  index: v.optional(v.nullable(v.number()), null),
  id: textOrNull,
  function: v.optional(v.object({ name: textOrNull, arguments: textOrNull })),
});

const chunkSchema = v.object({
  error: v.optional(v.unknown()),
  choices: v.optional(
    v.nullable(
      v.array(
        v.object({
          index: v.optional(v.number(), 0),
          finish_reason: textOrNull,
          delta: v.optional(
            v.nullable(
              v.object({
                content: textOrNull,
                refusal: textOrNull,
                tool_calls: v.optional(v.nullable(v.array(toolCallSchema)), null),
              }),
            ),
            null,
          ),
        }),
      ),
    ),
    null,
  ),
});

/** Reads the data of one event of a chat-completions stream. Never throws. */
export function decodeChatChunk(data: string): ChatChunk {
  if (data.trim() === '[DONE]') return { kind: 'done' };
  let json: unknown;
  try {
    json = JSON.parse(data);
  } catch {
    return { kind: 'malformed' };
  }
  const parsed = v.safeParse(chunkSchema, json);
  if (!parsed.success) return { kind: 'malformed' };
  if (parsed.output.error !== undefined && parsed.output.error !== null)
    return readError(parsed.output.error);
  // Usage and keep-alive chunks have no choices; only the first choice is ever asked for.
  const choice = parsed.output.choices?.find(({ index }) => index === 0);
  const toolCalls = choice?.delta?.tool_calls ?? [];
  return {
    kind: 'delta',
    text: (choice?.delta?.content ?? '') + (choice?.delta?.refusal ?? ''),
    toolCalls: toolCalls.map((call) => ({
      index: call.index,
      id: call.id,
      name: call.function?.name ?? null,
      arguments: call.function?.arguments ?? '',
    })),
    finishReason: choice?.finish_reason ?? null,
  };
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
