import { describe, expect, it } from 'vitest';
import { actionsOf, messageTurn, textOf } from '../../../test/agents/agent-turn.ts';
import { PROVIDER_TRANSCRIPTS } from '../../../test/agents/llm/provider-transcripts.ts';
import {
  chunk,
  event,
  open,
  refuses,
  type Script,
  type ScriptedEndpoint,
  startScriptedEndpoint,
} from '../../../test/agents/llm/scripted-endpoint.ts';
import { createOutboundClient } from '../../kit/http/outbound/index.ts';
import type { AgentAction } from '../agent.ts';
import { type AgentClock, systemAgentClock } from '../agent-clock.ts';
import { createLlmAgent } from './llm-agent.ts';
import { LLM_AGENT_DEFAULTS, type LlmAgentConfig } from './llm-agent-config.ts';

const configFor = (
  endpoint: ScriptedEndpoint,
  path: string,
  rest: Partial<LlmAgentConfig> = {},
): LlmAgentConfig => ({
  ...LLM_AGENT_DEFAULTS,
  name: 'Ada',
  greeting: 'Hello.',
  url: new URL(path, endpoint.url).href,
  apiKey: 'sk-secret-key',
  model: 'test-model',
  systemPrompt: 'You help travellers.',
  timeouts: { firstByteMs: 20_000, idleMs: 20_000, totalMs: 20_000, firstWordMs: 20_000 },
  ...rest,
});

/** Sends a stream in packets of a few bytes, which end within characters, lines and events. */
const inPackets =
  (parts: readonly string[], bytes = 7): Script =>
  async (response) => {
    open(response);
    const all = Buffer.from(parts.join(''));
    for (let from = 0; from < all.length; from += bytes)
      await new Promise<void>((resolve) =>
        response.write(all.subarray(from, from + bytes), () => setImmediate(resolve)),
      );
    response.end();
  };

/** Waits for no usage after the last word. */
const impatientClock: AgentClock = {
  now: systemAgentClock.now,
  setTimer: (callback, delayMs) => systemAgentClock.setTimer(callback, delayMs === 2_000 ? 0 : delayMs),
};

const metricsOf = (actions: readonly AgentAction[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    actions.flatMap((action) => (action.type === 'metric' ? [[action.name, action.value]] : [])),
  );

type Json = Readonly<Record<string, unknown>>;

/** Returns the tool results in a request by the ids of their calls, for any API. */
function resultsIn(body: Json): readonly (readonly [unknown, unknown])[] {
  const messages = (body['messages'] ?? body['input']) as readonly Json[];
  return messages.flatMap((message) => {
    if (message['role'] === 'tool') return [[message['tool_call_id'], message['content']] as const];
    if (message['type'] === 'function_call_output') return [[message['call_id'], message['output']] as const];
    const { content } = message;
    if (!Array.isArray(content)) return [];
    return (content as readonly Json[])
      .filter(({ type }) => type === 'tool_result')
      .map((block) => [block['tool_use_id'], block['content']] as const);
  });
}

describe.each(PROVIDER_TRANSCRIPTS)('$provider', ({ path, calls, words, tokens }) => {
  it('answers in words after two tools at once, and never shows what it thinks', async () => {
    await using endpoint = await startScriptedEndpoint(inPackets(calls), inPackets(words));
    const agent = createLlmAgent(configFor(endpoint, path), null);
    const history = [{ author: 'agent', text: 'Hello.' }] as const;
    const turn = messageTurn('And my dog?', { history, pageContext: { page: 'pets' } });
    const actions = await actionsOf(agent, turn);
    expect(textOf(actions)).toBe('Grüße! Dogs are welcome.');
    expect(actions).toContainEqual({ type: 'intent', name: 'pets' });
    expect(actions.filter(({ type }) => type === 'function_error')).toEqual([]);
    const [prompt, answer] = tokens;
    if (prompt > 0) {
      expect(metricsOf(actions)).toMatchObject({ llm_prompt_tokens: prompt, llm_answer_tokens: answer });
    }
    const [, second] = endpoint.requests;
    expect(second?.path).toBe(path);
    const results = resultsIn(second?.body ?? {});
    // The context, which every request has, and the results of the two calls.
    expect(results).toHaveLength(3);
    expect(new Set(results.map(([id]) => id)).size).toBe(3);
    expect(results[1]?.[1]).toBe('{"noted":true}');
    expect(results[2]?.[1]).toContain('pets');
    expect(second?.text).not.toContain('a secret');
  });

  it('keeps its answer when the stream has no end, or nothing comes after it', async () => {
    await using endpoint = await startScriptedEndpoint(async (response) => {
      open(response);
      const withoutEnd = words.filter((part) => part !== event('[DONE]') && !part.includes('message_stop'));
      for (const part of withoutEnd) response.write(part);
    });
    const agent = createLlmAgent(configFor(endpoint, path), null, { clock: impatientClock });
    expect(textOf(await actionsOf(agent, messageTurn('And my dog?')))).toBe('Grüße! Dogs are welcome.');
  });

  it('fails when its stream breaks off before its end', async () => {
    const isEnd = /"finish_reason":"|response\.completed|message_delta|\[DONE\]/;
    const begun = words.filter((part) => !isEnd.test(part));
    await using endpoint = await startScriptedEndpoint(inPackets(begun, 1_000));
    const agent = createLlmAgent(configFor(endpoint, path), null);
    // The last words of Mistral and Gemini come with the reason.
    await expect(actionsOf(agent, messageTurn('And my dog?'))).rejects.toMatchObject({
      code: 'broken_stream',
    });
  });

  it('stalls no longer than the limit between two words', async () => {
    const [first = ''] = words.filter((part) => part.includes('Grüße'));
    await using endpoint = await startScriptedEndpoint(async (response) => {
      open(response);
      response.write(first);
    });
    const timeouts = { firstByteMs: 20_000, idleMs: 30, totalMs: 20_000, firstWordMs: 20_000 };
    const agent = createLlmAgent(configFor(endpoint, path, { timeouts }), null);
    await expect(actionsOf(agent, messageTurn('And my dog?'))).rejects.toMatchObject({ code: 'timeout' });
  });
});

describe('what an endpoint is sent', () => {
  it.each([
    ['/v1', '/v1/chat/completions', { authorization: 'Bearer sk-secret-key' }],
    ['/v1/responses', '/v1/responses', { authorization: 'Bearer sk-secret-key' }],
    ['/v1/messages', '/v1/messages', { 'x-api-key': 'sk-secret-key', 'anthropic-version': '2023-06-01' }],
    [
      '/openai/deployments/small/chat/completions?api-version=2024-10-21',
      '/openai/deployments/small/chat/completions?api-version=2024-10-21',
      {},
    ],
  ])('goes from %s to %s', async (given, path, headers) => {
    await using endpoint = await startScriptedEndpoint(refuses(400));
    const agent = createLlmAgent(configFor(endpoint, given), null);
    await expect(actionsOf(agent, messageTurn('Hello?'))).rejects.toThrow();
    expect(endpoint.requests[0]).toMatchObject({ path, headers });
  });

  it('has the key of Azure in the header that Azure takes keys in', async () => {
    await using endpoint = await startScriptedEndpoint(refuses(400));
    const { port } = new URL(endpoint.url);
    const client = createOutboundClient({ allowsPrivateAddresses: true, resolve: async () => ['127.0.0.1'] });
    const url = `http://small.openai.azure.com:${port}/openai/v1`;
    const agent = createLlmAgent(configFor(endpoint, '/', { url }), null, { client });
    await expect(actionsOf(agent, messageTurn('Hello?'))).rejects.toThrow();
    const [request] = endpoint.requests;
    expect(request).toMatchObject({
      path: '/openai/v1/chat/completions',
      headers: { 'api-key': 'sk-secret-key' },
    });
    expect(request?.headers.authorization).toBeUndefined();
  });

  it('has ids of nine letters and digits, which Mistral asks for', async () => {
    const call = { tool_calls: [{ function: { name: 'read_context', arguments: '' } }] };
    await using endpoint = await startScriptedEndpoint(
      inPackets([chunk(call, 'tool_calls')]),
      inPackets([chunk({ content: 'Done.' }, 'stop')]),
    );
    const agent = createLlmAgent(configFor(endpoint, '/v1'), null);
    await actionsOf(
      agent,
      messageTurn('Hello?', {
        pageContext: { page: 'a' },
        externalEvents: [
          { name: 'e', id: 'evt_1', createdAt: '', contentType: '', data: 1, sendToLlm: true },
        ],
      }),
    );
    const ids = resultsIn(endpoint.requests[1]?.body ?? {}).map(([id]) => id);
    expect(ids).toHaveLength(3);
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
  });

  it('has the signature of a thought, which Gemini asks back', async () => {
    const gemini = PROVIDER_TRANSCRIPTS.find(({ provider }) => provider === 'Gemini');
    await using endpoint = await startScriptedEndpoint(
      inPackets(gemini?.calls ?? []),
      inPackets(gemini?.words ?? []),
    );
    await actionsOf(createLlmAgent(configFor(endpoint, '/v1'), null), messageTurn('And my dog?'));
    const messages = endpoint.requests[1]?.body['messages'] as readonly Json[];
    expect(messages.find((message) => 'tool_calls' in message)?.['tool_calls']).toMatchObject([
      { id: 'function-call-1', extra_content: { google: { thought_signature: 'signed' } } },
      { id: 'function-call-2' },
    ]);
  });

  it('begins with the visitor where Anthropic wants it to, and caches what is lasting', async () => {
    await using endpoint = await startScriptedEndpoint(refuses(400));
    const history = [{ author: 'agent', text: 'Hello.' }] as const;
    const agent = createLlmAgent(configFor(endpoint, '/v1/messages'), null);
    await expect(actionsOf(agent, messageTurn('And my dog?', { history }))).rejects.toThrow();
    const body = endpoint.requests[0]?.body ?? {};
    const messages = body['messages'] as readonly Json[];
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(body['system']).toMatchObject([{ cache_control: { type: 'ephemeral' } }, { type: 'text' }]);
    expect(body['max_tokens']).toBeGreaterThan(0);
  });
});

describe('an error in the stream', () => {
  const later = { message: 'Too many requests for sk-secret-key', type: 'server_error' };
  const ERRORS: readonly (readonly [string, string, string])[] = [
    ['OpenAI', '/v1', event({ error: { ...later, code: null } })],
    [
      'OpenAI, responses',
      '/v1/responses',
      event({ type: 'response.failed', response: { error: { code: 'server_error' } } }),
    ],
    ['OpenAI, responses', '/v1/responses', event({ type: 'error', code: 'server_error', message: 'no' })],
    [
      'Anthropic',
      '/v1/messages',
      event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
    ],
    ['vLLM', '/v1', event({ object: 'error', message: 'no', type: 'server_error', code: 500 })],
    ['LiteLLM', '/v1', event({ error: { message: 'no', type: null, param: null, code: '503' } })],
  ];

  it.each(ERRORS)(
    'of %s is tried again before the first word, and never quoted (%#)',
    async (_, path, error) => {
      await using endpoint = await startScriptedEndpoint(inPackets([error]), inPackets([error]));
      const retries = { maxAttempts: 2, baseDelayMs: 0, maxDelayMs: 0 };
      const agent = createLlmAgent(configFor(endpoint, path, { retries }), null);
      const failure = await actionsOf(agent, messageTurn('Hello?')).catch((caught: unknown) => caught);
      expect(failure).toMatchObject({ name: 'AgentError', retryable: true });
      expect(String(failure)).not.toContain('secret');
      expect(endpoint.requests).toHaveLength(2);
    },
  );
});

describe('a content filter', () => {
  const withheld = /I don't have an answer to that/;

  it.each([
    ['the question, on Azure', '/v1', refuses(400, { code: 'content_filter', status: 400, message: 'no' })],
    ['the answer, on Azure', '/v1', inPackets([chunk({}, 'content_filter'), event('[DONE]')])],
    [
      'the answer, with responses',
      '/v1/responses',
      inPackets([
        event({
          type: 'response.incomplete',
          response: { incomplete_details: { reason: 'content_filter' } },
        }),
      ]),
    ],
    [
      'the answer, on Anthropic',
      '/v1/messages',
      inPackets([
        event({ type: 'message_delta', delta: { stop_reason: 'refusal' }, usage: { output_tokens: 1 } }),
      ]),
    ],
  ])(
    'that withholds %s is no fault: the visitor is told that there is no answer',
    async (_, path, script) => {
      await using endpoint = await startScriptedEndpoint(script);
      const actions = await actionsOf(createLlmAgent(configFor(endpoint, path), null), messageTurn('Hello?'));
      expect(textOf(actions)).toMatch(withheld);
      expect(metricsOf(actions)).toMatchObject({ llm_content_filter: true });
      expect(endpoint.requests).toHaveLength(1);
    },
  );
});

it.each([
  [
    '/v1',
    [
      event({ choices: [{ index: 0, delta: { content: 'Hi.' }, finish_reason: 'stop' }] }),
      event({
        choices: [],
        usage: { prompt_tokens: 900, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 700 } },
      }),
    ],
  ],
  [
    '/v1/responses',
    [
      event({ type: 'response.output_text.delta', delta: 'Hi.' }),
      event({
        type: 'response.completed',
        response: {
          usage: { input_tokens: 900, output_tokens: 5, input_tokens_details: { cached_tokens: 700 } },
        },
      }),
    ],
  ],
  [
    '/v1/messages',
    [
      event({
        type: 'message_start',
        message: { usage: { input_tokens: 200, cache_read_input_tokens: 700, output_tokens: 1 } },
      }),
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi.' } }),
      event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } }),
      event({ type: 'message_stop' }),
    ],
  ],
])('tokens from the cache cost their own price at %s', async (path, parts) => {
  await using endpoint = await startScriptedEndpoint(inPackets(parts));
  const prices = { input: 10, cachedInput: 1, output: 100 };
  const actions = await actionsOf(
    createLlmAgent(configFor(endpoint, path, { prices }), null),
    messageTurn('Hi'),
  );
  expect(metricsOf(actions)).toMatchObject({
    llm_prompt_tokens: 900,
    llm_cached_tokens: 700,
    llm_answer_tokens: 5,
    llm_cost: 0.0032,
  });
});
