import * as v from 'valibot';
import { CHAT_COMPLETIONS } from './chat-completions.ts';
import {
  type ChatChunk,
  type ChatMessage,
  type ModelApi,
  NO_DELTA,
  readError,
  readJson,
} from './chat-protocol.ts';

const index = v.optional(v.nullable(v.number()), null);

const endSchema = v.object({
  usage: v.optional(
    v.nullable(
      v.object({
        input_tokens: v.optional(v.number(), 0),
        output_tokens: v.optional(v.number(), 0),
        input_tokens_details: v.optional(
          v.nullable(v.object({ cached_tokens: v.optional(v.nullable(v.number()), null) })),
          null,
        ),
      }),
    ),
    null,
  ),
  incomplete_details: v.optional(v.nullable(v.object({ reason: v.optional(v.string()) })), null),
  error: v.optional(v.unknown()),
});

const eventSchema = v.variant('type', [
  v.object({
    type: v.picklist(['response.output_text.delta', 'response.refusal.delta']),
    delta: v.string(),
  }),
  v.object({
    type: v.literal('response.output_item.added'),
    output_index: index,
    item: v.object({
      type: v.string(),
      call_id: v.optional(v.nullable(v.string()), null),
      name: v.optional(v.nullable(v.string()), null),
    }),
  }),
  v.object({
    type: v.literal('response.function_call_arguments.delta'),
    output_index: index,
    delta: v.string(),
  }),
  v.object({
    type: v.picklist(['response.completed', 'response.incomplete', 'response.failed']),
    response: endSchema,
  }),
  v.object({ type: v.literal('error'), error: v.optional(v.unknown()) }),
]);

function decode(data: string): ChatChunk {
  const json = readJson(data);
  const type = typeof json === 'object' && json !== null && 'type' in json ? json.type : null;
  if (typeof type !== 'string') return { kind: 'malformed' };
  const parsed = v.safeParse(eventSchema, json);
  // The other dozens of types, such as thinking, contain no text for the visitor.
  if (!parsed.success) return eventTypes.has(type) ? { kind: 'malformed' } : NO_DELTA;
  const event = parsed.output;
  switch (event.type) {
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      return { ...NO_DELTA, text: event.delta };
    case 'response.output_item.added': {
      const { type, call_id: id, name } = event.item;
      if (type !== 'function_call') return NO_DELTA;
      const piece = { index: event.output_index, id, name, arguments: '', extra: null };
      return { ...NO_DELTA, toolCalls: [piece] };
    }
    case 'response.function_call_arguments.delta': {
      const piece = { index: event.output_index, id: null, name: null, arguments: event.delta, extra: null };
      return { ...NO_DELTA, toolCalls: [piece] };
    }
    case 'response.failed':
      return readError(event.response.error);
    case 'response.completed':
    case 'response.incomplete': {
      const { usage, incomplete_details: details } = event.response;
      return {
        ...NO_DELTA,
        finishReason: details?.reason ?? 'stop',
        usage:
          usage === null
            ? null
            : {
                prompt: usage.input_tokens,
                cached: usage.input_tokens_details?.cached_tokens ?? 0,
                answer: usage.output_tokens,
              },
      };
    }
    case 'error':
      return readError(event.error ?? json);
  }
}

const eventTypes: ReadonlySet<string> = new Set([
  'response.output_text.delta',
  'response.refusal.delta',
  'response.output_item.added',
  'response.function_call_arguments.delta',
  'response.completed',
  'response.incomplete',
  'response.failed',
]);

function toItems(message: ChatMessage): readonly object[] {
  if (message.role === 'tool') {
    return [{ type: 'function_call_output', call_id: message.tool_call_id, output: message.content }];
  }
  const { role, content } = message;
  const calls = 'tool_calls' in message ? message.tool_calls : [];
  return [
    ...(content === null ? [] : [{ role, content }]),
    ...calls.map(({ id, function: { name, arguments: args } }) => ({
      type: 'function_call',
      call_id: id,
      name,
      arguments: args,
    })),
  ];
}

/** The Responses API of OpenAI. It keeps nothing of the conversation, because each request holds all of it. */
export const RESPONSES: ModelApi = {
  headers: CHAT_COMPLETIONS.headers,
  write: ({ extraBody, model }, { system, messages, tools, mayCallTools }) => ({
    store: false,
    ...extraBody,
    model,
    instructions: `${system.lasting}\n\n${system.current}`,
    input: messages.flatMap(toItems),
    stream: true,
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ type, function: tool }) => ({ type, ...tool, strict: false })),
          tool_choice: mayCallTools ? 'auto' : 'none',
        }),
  }),
  decode,
};
