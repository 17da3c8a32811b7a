import * as v from 'valibot';
import { type ChatChunk, type ModelApi, readError, readJson } from './chat-protocol.ts';

const textOrNull = v.optional(v.nullable(v.string()), null);

/** Treat an empty name or id as absent: some servers repeat them empty in every piece. */
const nameOrNull = v.pipe(
  textOrNull,
  v.transform((text) => (text === '' ? null : text)),
);

const toolCallSchema = v.object({
  index: v.optional(v.nullable(v.number()), null),
  id: nameOrNull,
  function: v.optional(
    v.object({
      name: nameOrNull,
      arguments: v.pipe(
        v.optional(v.nullable(v.union([v.string(), v.record(v.string(), v.unknown())])), null),
        v.transform((value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value)),
      ),
    }),
  ),
  extra_content: v.optional(v.unknown(), null),
});

/** A text, or a list of parts. Only parts of the type `text` are shown to the visitor; others are ignored, such as `thinking`. */
const contentSchema = v.union([
  v.string(),
  v.pipe(
    v.array(v.object({ type: v.string(), text: textOrNull })),
    v.transform((parts) => parts.map(({ type, text }) => (type === 'text' ? (text ?? '') : '')).join('')),
  ),
]);

/** Prompt tokens that were read from the endpoint's cache. */
const cachedTokens = v.optional(
  v.nullable(v.object({ cached_tokens: v.optional(v.nullable(v.number()), null) })),
  null,
);

const chunkSchema = v.object({
  object: v.optional(v.unknown()),
  error: v.optional(v.unknown()),
  choices: v.optional(
    v.nullable(
      v.array(
        v.object({
          index: v.optional(v.number(), 0),
          finish_reason: nameOrNull,
          delta: v.optional(
            v.nullable(
              v.object({
                content: v.optional(v.nullable(contentSchema), null),
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
  usage: v.optional(
    v.nullable(
      v.object({
        prompt_tokens: v.optional(v.number(), 0),
        completion_tokens: v.optional(v.number(), 0),
        prompt_tokens_details: cachedTokens,
      }),
    ),
    null,
  ),
});

function decode(data: string): ChatChunk {
  if (data.trim() === '[DONE]') return { kind: 'done' };
  const json = readJson(data);
  const parsed = v.safeParse(chunkSchema, json);
  if (!parsed.success) return { kind: 'malformed' };
  const { object, error, choices, usage } = parsed.output;
  if (error !== undefined && error !== null) return readError(error);
  if (object === 'error') return readError(json);
  // Usage and keep-alive chunks have no choices; only one choice is requested.
  const choice = choices?.find(({ index }) => index === 0);
  const toolCalls = choice?.delta?.tool_calls ?? [];
  return {
    kind: 'delta',
    text: (choice?.delta?.content ?? '') + (choice?.delta?.refusal ?? ''),
    toolCalls: toolCalls.map((call) => ({
      index: call.index,
      id: call.id,
      name: call.function?.name ?? null,
      arguments: call.function?.arguments ?? '',
      extra: call.extra_content,
    })),
    finishReason: choice?.finish_reason ?? null,
    usage:
      usage === null
        ? null
        : {
            prompt: usage.prompt_tokens,
            cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
            answer: usage.completion_tokens,
          },
  };
}

/** The chat completions of OpenAI, which most endpoints speak. */
export const CHAT_COMPLETIONS: ModelApi = {
  // Azure accepts a key in the header `api-key`; its bearer tokens come from its directory.
  headers: (apiKey, { hostname }) =>
    hostname.endsWith('.azure.com') ? { 'api-key': apiKey } : { authorization: `Bearer ${apiKey}` },
  write: ({ extraBody, model }, { system, messages, tools, mayCallTools }) => ({
    ...extraBody,
    model,
    messages: [{ role: 'system', content: `${system.lasting}\n\n${system.current}` }, ...messages],
    stream: true,
    ...(tools.length === 0 ? {} : { tools, tool_choice: mayCallTools ? 'auto' : 'none' }),
  }),
  decode,
};
