import { event } from './scripted-endpoint.ts';

/** A provider's responses for one turn: one that calls two tools at once, and one with text. */
export interface ProviderTranscript {
  readonly provider: string;
  /** Where requests go. */
  readonly path: string;
  /** Calls `note_facts` with the intent `pets`, and `read_context`. */
  readonly calls: readonly string[];
  /** Says `Grüße! Dogs are welcome.`, perhaps after thoughts about a secret. */
  readonly words: readonly string[];
  /** Prompt and answer tokens of both together, as far as they are counted. */
  readonly tokens: readonly [number, number];
}

const COMPLETIONS = '/v1/chat/completions';
const FACTS = '{"intents":["pets"]}';
const DONE = event('[DONE]');

const chunk = (choices: readonly object[], rest: object = {}): string =>
  event({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...rest });
const delta = (content: object, rest: object = {}): string =>
  chunk([{ index: 0, delta: content, finish_reason: null, ...rest }]);
const finish = (reason: string, rest: object = {}): string =>
  chunk([{ index: 0, delta: {}, finish_reason: reason }], rest);
const usage = (prompt: number, answer: number): object => ({
  usage: { prompt_tokens: prompt, completion_tokens: answer, total_tokens: prompt + answer },
});
const call = (name: string, args: string, rest: object = {}): object => ({
  type: 'function',
  function: { name, arguments: args },
  ...rest,
});

const typed = (type: string, fields: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

/** Written from the public documentation of each provider. */
export const PROVIDER_TRANSCRIPTS: readonly ProviderTranscript[] = [
  {
    provider: 'OpenAI, chat completions',
    path: COMPLETIONS,
    calls: [
      delta({ role: 'assistant', content: null, refusal: null }, { logprobs: null }),
      delta({ tool_calls: [{ index: 0, id: 'call_abc', ...call('note_facts', '') }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '{"inte' } }] }),
      delta({}),
      delta({ tool_calls: [{ index: 1, id: 'call_def', ...call('read_context', '') }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: 'nts":["pets"]}' } }] }),
      delta({ tool_calls: [{ index: 1, function: { arguments: '{}' } }] }),
      finish('tool_calls', { usage: null }),
      chunk([], usage(100, 20)),
      DONE,
    ],
    words: [
      delta({ role: 'assistant', content: '', refusal: null }, { logprobs: null }),
      delta({ content: 'Grüße!' }),
      delta({ content: ' Dogs are welcome.' }),
      finish('stop', { usage: null }),
      chunk([], usage(150, 10)),
      DONE,
    ],
    tokens: [250, 30],
  },
  {
    provider: 'OpenAI, responses',
    path: '/v1/responses',
    calls: [
      typed('response.created', { response: { id: 'resp_1', status: 'in_progress', output: [] } }),
      typed('response.output_item.added', { output_index: 0, item: { type: 'reasoning', id: 'rs_1' } }),
      typed('response.reasoning_summary_text.delta', { output_index: 0, delta: 'a secret' }),
      ...[
        ['call_abc', 'note_facts', FACTS],
        ['call_def', 'read_context', '{}'],
      ].flatMap(([id, name, args = ''], position) => [
        typed('response.output_item.added', {
          output_index: position + 1,
          item: { type: 'function_call', id: `fc_${position}`, call_id: id, name, arguments: '' },
        }),
        ...[args.slice(0, 1), args.slice(1)].map((part) =>
          typed('response.function_call_arguments.delta', { output_index: position + 1, delta: part }),
        ),
        typed('response.function_call_arguments.done', { output_index: position + 1, arguments: args }),
      ]),
      typed('response.completed', {
        response: { status: 'completed', usage: { input_tokens: 100, output_tokens: 20 } },
      }),
    ],
    words: [
      typed('response.output_item.added', { output_index: 0, item: { type: 'message', id: 'msg_1' } }),
      typed('response.content_part.added', { output_index: 0, part: { type: 'output_text', text: '' } }),
      typed('response.output_text.delta', { output_index: 0, delta: 'Grüße!' }),
      typed('response.output_text.delta', { output_index: 0, delta: ' Dogs are welcome.' }),
      typed('response.output_text.done', { output_index: 0, text: 'Grüße! Dogs are welcome.' }),
      typed('response.completed', {
        response: { status: 'completed', usage: { input_tokens: 150, output_tokens: 10 } },
      }),
    ],
    tokens: [250, 30],
  },
  {
    provider: 'Azure OpenAI',
    path: COMPLETIONS,
    calls: [
      chunk([], { prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] }),
      delta({ role: 'assistant', content: null }),
      delta({ tool_calls: [{ index: 0, id: 'call_abc', ...call('note_facts', FACTS) }] }),
      delta({ tool_calls: [{ index: 1, id: 'call_def', ...call('read_context', '{}') }] }),
      chunk([{ index: 0, delta: {}, finish_reason: 'tool_calls', content_filter_results: {} }]),
      DONE,
    ],
    words: [
      chunk([], { prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] }),
      delta(
        { content: 'Grüße! Dogs' },
        { content_filter_results: { hate: { filtered: false, severity: 'safe' } } },
      ),
      // The asynchronous filter sends chunks without any content.
      chunk([{ index: 0, finish_reason: null, content_filter_offsets: { check_offset: 1 } }]),
      delta({ content: ' are welcome.' }),
      finish('stop'),
      DONE,
    ],
    tokens: [0, 0],
  },
  {
    provider: 'Anthropic, chat completions',
    path: COMPLETIONS,
    calls: [
      delta({ role: 'assistant', content: '' }),
      delta({ tool_calls: [{ index: 0, id: 'toolu_01A', ...call('note_facts', '') }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: FACTS } }] }),
      delta({ tool_calls: [{ index: 1, id: 'toolu_01B', ...call('read_context', '') }] }),
      finish('tool_calls'),
      DONE,
    ],
    words: [delta({ content: 'Grüße! ' }), delta({ content: 'Dogs are welcome.' }), finish('stop'), DONE],
    tokens: [0, 0],
  },
  {
    provider: 'Anthropic, messages',
    path: '/v1/messages',
    calls: [
      typed('message_start', {
        message: { id: 'msg_1', usage: { input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 1 } },
      }),
      typed('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '' } }),
      typed('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'a secret' } }),
      typed('content_block_delta', { index: 0, delta: { type: 'signature_delta', signature: 'x' } }),
      typed('content_block_stop', { index: 0 }),
      typed('ping'),
      typed('content_block_start', {
        index: 1,
        content_block: { type: 'tool_use', id: 'toolu_01A', name: 'note_facts', input: {} },
      }),
      typed('content_block_delta', { index: 1, delta: { type: 'input_json_delta', partial_json: '' } }),
      typed('content_block_delta', { index: 1, delta: { type: 'input_json_delta', partial_json: FACTS } }),
      typed('content_block_stop', { index: 1 }),
      typed('content_block_start', {
        index: 2,
        content_block: { type: 'tool_use', id: 'toolu_01B', name: 'read_context', input: {} },
      }),
      typed('content_block_stop', { index: 2 }),
      typed('message_delta', { delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 20 } }),
      typed('message_stop'),
    ],
    words: [
      typed('message_start', { message: { id: 'msg_2', usage: { input_tokens: 150, output_tokens: 1 } } }),
      typed('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      typed('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Grüße! Dogs' } }),
      typed('content_block_delta', { index: 0, delta: { type: 'text_delta', text: ' are welcome.' } }),
      typed('content_block_stop', { index: 0 }),
      typed('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 10 } }),
      typed('message_stop'),
    ],
    tokens: [250, 30],
  },
  {
    provider: 'Mistral',
    path: COMPLETIONS,
    calls: [
      delta({ role: 'assistant', content: '' }),
      chunk(
        [
          {
            index: 0,
            delta: {
              content: '',
              tool_calls: [
                { id: 'D681PevKs', index: 0, function: { name: 'note_facts', arguments: FACTS } },
                { id: 'a1B2c3D4e', index: 1, function: { name: 'read_context', arguments: '{}' } },
              ],
            },
            finish_reason: 'tool_calls',
          },
        ],
        usage(100, 20),
      ),
      DONE,
    ],
    words: [
      delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'a secret' }] }] }),
      delta({ content: [{ type: 'text', text: 'Grüße! ' }] }),
      delta({ content: 'Dogs are welcome.' }),
      chunk([{ index: 0, delta: { content: '' }, finish_reason: 'stop' }], usage(150, 10)),
      DONE,
    ],
    tokens: [250, 30],
  },
  {
    provider: 'Gemini',
    path: '/v1beta/openai/chat/completions',
    calls: [
      delta({
        role: 'assistant',
        tool_calls: [
          call('note_facts', '{"intents":', {
            id: 'function-call-1',
            extra_content: { google: { thought_signature: 'signed' } },
          }),
        ],
      }),
      // The rest of the arguments has neither index nor id.
      delta({ tool_calls: [{ id: '', type: 'function', function: { name: '', arguments: '["pets"]}' } }] }),
      delta({ tool_calls: [call('read_context', '{}', { id: 'function-call-2' })] }),
      finish('stop', usage(100, 20)),
      DONE,
    ],
    words: [
      delta({ role: 'assistant', content: 'Grüße! Dogs' }),
      chunk([{ index: 0, delta: { content: ' are welcome.' }, finish_reason: 'stop' }], usage(150, 10)),
      DONE,
    ],
    tokens: [250, 30],
  },
  {
    provider: 'Ollama',
    path: COMPLETIONS,
    calls: [
      delta({ role: 'assistant', content: '', reasoning: 'a secret' }),
      // Older releases give every call the same index.
      delta({ content: '', tool_calls: [{ index: 0, id: 'call_1a2b', ...call('note_facts', FACTS) }] }),
      delta({ content: '', tool_calls: [{ index: 0, id: 'call_3c4d', ...call('read_context', '{}') }] }),
      chunk([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: 'tool_calls' }]),
      chunk([], usage(100, 20)),
      DONE,
    ],
    words: [
      delta({ role: 'assistant', content: '<thi' }),
      delta({ content: 'nk>\nThe visitor asks for a secret.</th' }),
      delta({ content: 'ink>\n\n' }),
      delta({ content: 'Grüße! Dogs are welcome.' }),
      finish('stop'),
      DONE,
    ],
    tokens: [100, 20],
  },
  {
    provider: 'vLLM',
    path: COMPLETIONS,
    calls: [
      delta({ role: 'assistant', content: '' }),
      delta({ reasoning_content: 'a secret' }),
      delta({ tool_calls: [{ index: 0, id: 'chatcmpl-tool-1', ...call('note_facts', '') }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: FACTS } }] }),
      delta({ tool_calls: [{ index: 1, id: 'chatcmpl-tool-2', ...call('read_context', '') }] }),
      delta({ tool_calls: [{ index: 1, function: { arguments: '{}' } }] }),
      chunk([
        { index: 0, delta: { content: '' }, logprobs: null, finish_reason: 'tool_calls', stop_reason: null },
      ]),
      event({ object: 'chat.completion.chunk', choices: null, ...usage(100, 20) }),
      DONE,
    ],
    words: [
      delta({ reasoning: 'a secret' }),
      delta({ content: 'Grüße! Dogs are welcome.' }),
      finish('stop'),
      event({ object: 'chat.completion.chunk', ...usage(150, 10) }),
      DONE,
    ],
    tokens: [250, 30],
  },
  {
    provider: 'LiteLLM',
    path: COMPLETIONS,
    calls: [
      ': keep-alive\n\n',
      delta({
        role: 'assistant',
        content: null,
        tool_calls: [{ index: 0, id: 'call_abc', ...call('note_facts', FACTS) }],
      }),
      ': keep-alive\n\n',
      delta({ tool_calls: [{ index: 1, id: 'call_def', ...call('read_context', '{}') }] }),
      finish('tool_calls'),
      // Its usage comes in a chunk with an empty choice.
      chunk([{ index: 0, delta: {} }], usage(100, 20)),
      DONE,
    ],
    words: [
      ': keep-alive\n\n',
      delta({ content: 'Grüße! Dogs are welcome.' }),
      finish('stop'),
      ': keep-alive\n\n',
      chunk([{ index: 0, delta: {} }], usage(150, 10)),
      DONE,
    ],
    tokens: [250, 30],
  },
];
