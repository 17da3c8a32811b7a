import * as v from 'valibot';
import {
  type ChatChunk,
  type ChatMessage,
  type ModelApi,
  NO_DELTA,
  readError,
  readJson,
  type TokenUsage,
} from './chat-protocol.ts';

const tokens = v.optional(v.nullable(v.number()), 0);
const usageSchema = v.optional(
  v.object({
    input_tokens: tokens,
    cache_creation_input_tokens: tokens,
    cache_read_input_tokens: tokens,
    output_tokens: tokens,
  }),
);

const eventSchema = v.variant('type', [
  v.object({ type: v.literal('message_start'), message: v.object({ usage: usageSchema }) }),
  v.object({
    type: v.literal('content_block_start'),
    index: v.number(),
    content_block: v.object({ type: v.string(), id: v.optional(v.string()), name: v.optional(v.string()) }),
  }),
  v.object({
    type: v.literal('content_block_delta'),
    index: v.number(),
    delta: v.object({
      type: v.string(),
      text: v.optional(v.string(), ''),
      partial_json: v.optional(v.string(), ''),
    }),
  }),
  v.object({
    type: v.literal('message_delta'),
    delta: v.object({ stop_reason: v.optional(v.nullable(v.string()), null) }),
    usage: usageSchema,
  }),
  v.object({ type: v.literal('error'), error: v.optional(v.unknown()) }),
]);

const IGNORED: ReadonlySet<unknown> = new Set(['ping', 'content_block_stop', 'message_stop']);

function decode(data: string): ChatChunk {
  const json = readJson(data);
  const type = typeof json === 'object' && json !== null && 'type' in json ? json.type : null;
  if (IGNORED.has(type)) return NO_DELTA;
  const parsed = v.safeParse(eventSchema, json);
  if (!parsed.success) return { kind: 'malformed' };
  const event = parsed.output;
  switch (event.type) {
    case 'message_start':
      return { ...NO_DELTA, usage: toUsage(event.message.usage) };
    case 'content_block_start': {
      const { type, id = null, name = null } = event.content_block;
      if (type !== 'tool_use') return NO_DELTA;
      return { ...NO_DELTA, toolCalls: [{ index: event.index, id, name, arguments: '', extra: null }] };
    }
    case 'content_block_delta': {
      const { type, text, partial_json: json } = event.delta;
      if (type === 'text_delta') return { ...NO_DELTA, text };
      if (type !== 'input_json_delta') return NO_DELTA;
      return {
        ...NO_DELTA,
        toolCalls: [{ index: event.index, id: null, name: null, arguments: json, extra: null }],
      };
    }
    case 'message_delta': {
      const { stop_reason: reason } = event.delta;
      return {
        ...NO_DELTA,
        finishReason: reason === 'refusal' ? 'content_filter' : reason,
        usage: toUsage(event.usage),
      };
    }
    case 'error':
      return readError(event.error);
  }
}

function toUsage(usage: v.InferOutput<typeof usageSchema>): TokenUsage | null {
  if (usage === undefined) return null;
  const prompt =
    (usage.input_tokens ?? 0) +
    (usage.cache_creation_input_tokens ?? 0) +
    (usage.cache_read_input_tokens ?? 0);
  return { prompt, cached: usage.cache_read_input_tokens ?? 0, answer: usage.output_tokens ?? 0 };
}

type Block = Readonly<Record<string, unknown>>;

interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: readonly Block[];
}

/** Messages for the API. The first has the role `user`; consecutive messages of the same role are joined into one. */
function toMessages(messages: readonly ChatMessage[]): readonly Message[] {
  const result: { role: Message['role']; content: Block[] }[] = [];
  for (const message of messages) {
    const role = message.role === 'tool' ? 'user' : message.role;
    const last = result.at(-1);
    const content = toBlocks(message);
    if (last?.role === role) last.content.push(...content);
    else result.push({ role, content });
  }
  const isOpened = result[0]?.role === 'user';
  return isOpened
    ? result
    : [{ role: 'user', content: [{ type: 'text', text: '(I opened the chat.)' }] }, ...result];
}

function toBlocks(message: ChatMessage): Block[] {
  if (message.role === 'tool') {
    return [{ type: 'tool_result', tool_use_id: message.tool_call_id, content: message.content }];
  }
  const { content } = message;
  const calls = 'tool_calls' in message ? message.tool_calls : [];
  return [
    ...(content === null ? [] : [{ type: 'text', text: content }]),
    ...calls.map(({ id, function: { name, arguments: args } }) => ({
      type: 'tool_use',
      id,
      name,
      input: readJson(args) ?? {},
    })),
  ];
}

// The API needs one. A long answer of a chat has a few hundred.
const MAX_TOKENS = 2_048;

/** The Messages API of Anthropic. Tools and lasting instructions are cached between requests. */
export const ANTHROPIC_MESSAGES: ModelApi = {
  headers: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }),
  write: ({ extraBody, model }, { system, messages, tools, mayCallTools }) => ({
    max_tokens: MAX_TOKENS,
    ...extraBody,
    model,
    system: [
      { type: 'text', text: system.lasting, cache_control: { type: 'ephemeral' } },
      { type: 'text', text: system.current },
    ],
    messages: toMessages(messages),
    stream: true,
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ function: { name, description, parameters } }) => ({
            name,
            description,
            input_schema: parameters,
          })),
          tool_choice: { type: mayCallTools ? 'auto' : 'none' },
        }),
  }),
  decode,
};
