import { verifyWebhook } from '@natter/sdk';
import { describe, expect, it } from 'vitest';
import { messageTurn } from '../../../test/agents/agent-turn.ts';
import {
  event,
  open,
  refuses,
  type Script,
  type ScriptedEndpoint,
  startScriptedEndpoint,
  write,
} from '../../../test/agents/llm/scripted-endpoint.ts';
import { createOutboundClient } from '../../kit/http/outbound/index.ts';
import type { AgentAction, AgentTurn } from '../agent.ts';
import { type AgentClock, systemAgentClock } from '../agent-clock.ts';
import type { AgentError } from '../agent-error.ts';
import { createWebhookAgent } from './webhook-agent.ts';
import type { WebhookAgentConfig } from './webhook-agent-config.ts';

const SECRET = 'a-secret-of-tests-with-32-characters';

const configFor = (url: string, overrides: Partial<WebhookAgentConfig> = {}): WebhookAgentConfig => ({
  name: 'Bo',
  avatarUrl: null,
  url,
  secret: SECRET,
  // Long enough for a slow machine: only the limit under test may strike.
  timeouts: { firstByteMs: 20_000, idleMs: 20_000, totalMs: 20_000 },
  retries: { maxAttempts: 3, baseDelayMs: 500, maxDelayMs: 5_000 },
  handoff: null,
  ...overrides,
});

interface Outcome {
  readonly actions: readonly AgentAction[];
  readonly error: unknown;
  readonly pausesMs: readonly number[];
}

/** Runs a turn against an endpoint. Pauses between tries pass at once and are noted. */
async function runTurn(
  endpoint: ScriptedEndpoint,
  overrides: Partial<WebhookAgentConfig> = {},
  turn: AgentTurn = messageTurn('Hello?'),
  allowsPrivateAddresses = true,
): Promise<Outcome> {
  const pausesMs: number[] = [];
  const clock: AgentClock = {
    now: systemAgentClock.now,
    setTimer(callback, delayMs) {
      // Limits are either far above or far below every pause.
      if (delayMs > 10_000 || delayMs <= SHORT_MS) return systemAgentClock.setTimer(callback, delayMs);
      pausesMs.push(delayMs);
      return systemAgentClock.setTimer(callback, 0);
    },
  };
  const client = createOutboundClient({ allowsPrivateAddresses, clock });
  const ports = { client, clock, random: () => 0.5, headerStyle: 'neutral' } as const;
  const agent = createWebhookAgent(configFor(endpoint.url, overrides), ports);
  const actions: AgentAction[] = [];
  let error: unknown = null;
  try {
    for await (const action of agent.run(turn)) actions.push(action);
  } catch (caught) {
    error = caught;
  }
  return { actions, error, pausesMs };
}

const SHORT_MS = 30;

const failsWith = (code: AgentError['code'], message: RegExp): unknown =>
  expect.objectContaining({ name: 'AgentError', code, message: expect.stringMatching(message) });

const answers =
  (type: string, ...parts: readonly (string | Buffer)[]): Script =>
  async (response) => {
    response.writeHead(200, { 'content-type': type });
    for (const part of parts)
      await new Promise<void>((resolve) => response.write(part, () => setImmediate(resolve)));
    response.end();
  };
const json = (value: unknown): Script => answers('application/json', JSON.stringify(value));
const lines = (...parts: readonly (string | Buffer)[]): Script => answers('application/x-ndjson', ...parts);
const says = (text: string): AgentAction => ({ type: 'text', text });

describe('a turn that is posted', () => {
  it('a posted turn holds all input of an agent, and is signed like a webhook', async () => {
    await using endpoint = await startScriptedEndpoint(json({ type: 'text', text: 'Hi.' }));
    const received = {
      name: 'payment',
      id: 'evt_01JNG2V6W9Q3T8X4Z7B5C1D0EF',
      createdAt: '2026-03-02T09:15:00Z',
      contentType: 'application/json',
      data: { paid: true },
      sendToLlm: false,
    };
    const turn = messageTurn('Grüße', {
      kind: 'event',
      history: [{ author: 'user', text: 'Before' }],
      state: { step: 2, page_context: { path: '/cart' } },
      contextVault: { customer: 'c-7' },
      integrationAttributes: { plan: 'gold' },
      metadata: { shop: 'north' },
      variantId: 'b',
      event: { name: 'payment', received },
      externalEvents: [received],
    });
    expect(await runTurn(endpoint, {}, turn)).toMatchObject({ actions: [says('Hi.')], error: null });
    const [request] = endpoint.requests;
    const { headers = {}, text: body = '' } = request ?? {};
    expect(await verifyWebhook({ headers, body, secret: SECRET })).toMatchObject({
      isValid: true,
      eventId: request?.body['event_id'],
    });
    const { event_id: _, ...given } = request?.body ?? {};
    const sent = {
      name: 'payment',
      id: received.id,
      created_at: received.createdAt,
      content_type: 'application/json',
      data: { paid: true },
    };
    expect(given).toEqual({
      type: 'agent.turn',
      conversation_id: 'conversation-1',
      project_id: null,
      kind: 'event',
      text: 'Grüße',
      language: 'en',
      history: [{ author: 'user', text: 'Before' }],
      state: { step: 2, page_context: { path: '/cart' } },
      page_context: { path: '/cart' },
      integration_attributes: { plan: 'gold' },
      context_vault: { customer: 'c-7' },
      metadata: { shop: 'north' },
      variant_id: 'b',
      event: { name: 'payment', received: sent },
      external_events: [sent],
    });
  });
});

describe('an answer', () => {
  const card = {
    content_type: 'ATTACHMENT_CONTENT_TYPE_URL',
    content_url: 'https://shop.example/help',
    title: 'Help',
    preview_image_url: null,
    call_to_action_text: null,
  } as const;
  const onTheWire = [
    { type: 'intent', name: 'returns' },
    { type: 'language', language_code: 'de' },
    { type: 'wait_for_event', name: 'pay', event_id: 'evt_01JNG2V6W9Q3T8X4Z7B5C1D0EF', timeout_ms: 60_000 },
    { type: 'text', text: 'Hallo' },
    { type: 'attachment', attachment: { content_url: 'https://shop.example/help', title: 'Help' } },
    { type: 'suggestions', suggestions: [{ message_text: 'Ja' }] },
    { type: 'call_action', call_action: { title: 'Phone', contact_number: '+44 1' } },
    { type: 'state', set: { step: 3, _draft: { a: [1] } } },
    { type: 'metric', name: 'basket', value: 12.5 },
    { type: 'entities', found: { date: '2026-07-01' } },
    { type: 'function_error', name: 'stock' },
    { type: 'handoff', why: 'a complaint', queue_name: 'late', destination: 'desk' },
  ];
  const expected: readonly AgentAction[] = [
    { type: 'intent', name: 'returns' },
    { type: 'language', languageCode: 'de' },
    {
      type: 'wait_for_event',
      name: 'pay',
      eventId: 'evt_01JNG2V6W9Q3T8X4Z7B5C1D0EF',
      timeoutMs: 60_000,
      sendToLlm: false,
    },
    says('Hallo'),
    { type: 'attachment', attachment: card },
    { type: 'suggestions', suggestions: [{ message_text: 'Ja', payload: null }] },
    { type: 'call_action', callAction: { title: 'Phone', contact_number: '+44 1' } },
    { type: 'state', set: { step: 3, _draft: { a: [1] } } },
    { type: 'metric', name: 'basket', value: 12.5 },
    { type: 'entities', found: { date: '2026-07-01' } },
    { type: 'function_error', name: 'stock' },
    {
      type: 'handoff',
      reason: 'AGENT_DECISION',
      why: 'a complaint',
      destination: 'desk',
      managed: 'server',
      queueName: 'late',
    },
  ];

  it.each([
    ['JSON', json({ actions: onTheWire })],
    ['lines of JSON', lines(onTheWire.map((action) => JSON.stringify(action)).join('\r\n'))],
    ['an event stream', answers('text/event-stream; charset=utf-8', ...onTheWire.map(event))],
  ])('an answer of a webhook agent comes as %s', async (_, script) => {
    await using endpoint = await startScriptedEndpoint(script);
    expect(await runTurn(endpoint)).toEqual({ actions: expected, error: null, pausesMs: [] });
  });

  it('an answer may be split anywhere, in a character too, and hold empty lines and comments', async () => {
    const line = Buffer.from('{"type":"text","text":"Grüße 🚦"}\n');
    const bytes = [...line].map((byte) => Buffer.from([byte]));
    await using endpoint = await startScriptedEndpoint(
      lines(...bytes, '\n\n', '{"type":"end"}'),
      answers('text/event-stream', ': still here\n\ndata: ', ...bytes, '\n'),
    );
    expect((await runTurn(endpoint)).actions).toEqual([says('Grüße 🚦'), { type: 'end' }]);
    expect((await runTurn(endpoint)).actions).toEqual([says('Grüße 🚦')]);
  });

  it('an answer is passed on before the rest of it has arrived', async () => {
    await using endpoint = await startScriptedEndpoint(async (response) => {
      open(response);
      await write(response, event({ type: 'text', text: 'At once.' }));
    });
    const client = createOutboundClient({ allowsPrivateAddresses: true });
    const ports = { client, clock: systemAgentClock, random: Math.random, headerStyle: 'neutral' } as const;
    const agent = createWebhookAgent(configFor(endpoint.url), ports);
    const stop = new AbortController();
    const actions = agent.run(messageTurn('Hello?', { signal: stop.signal }))[Symbol.asyncIterator]();
    expect(await actions.next()).toEqual({ done: false, value: says('At once.') });
    const next = actions.next();
    stop.abort(new Error('The visitor has stopped it.'));
    await expect(next).rejects.toThrow('The visitor has stopped it.');
    await endpoint.abandoned;
  });

  it("an answer ends with a hand-off, by default to the settings' destination", async () => {
    const handoff = { destination: 'desk', managed: 'client' } as const;
    const script = lines('{"type":"handoff","reason":"POLICY"}\n{"type":"text","text":"Too late"}\n');
    await using endpoint = await startScriptedEndpoint(script);
    const { actions } = await runTurn(endpoint, { handoff });
    expect(actions).toEqual([{ type: 'handoff', reason: 'POLICY', ...handoff }]);
  });

  it('an answer may be empty', async () => {
    await using endpoint = await startScriptedEndpoint((response) => void response.writeHead(204).end());
    expect(await runTurn(endpoint)).toEqual({ actions: [], error: null, pausesMs: [] });
  });
});

describe('an answer that cannot be used', () => {
  const good = '{"type":"text","text":"Good."}\n';

  it.each([
    ['no JSON', answers('application/json', '{"actions": ['), /something other than actions/],
    ['HTML', answers('text/html', '<h1>It works!</h1>'), /something other than actions/],
    ['half a line', lines('{"type":"text","te'), /something other than actions/],
    ['no list', json({ actions: 'text' }), /something other than actions/],
    [
      'a state that nothing could store for its depth',
      answers('application/json', `{"type":"state","set":{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`),
      /something other than actions/,
    ],
    ['an unknown action', json({ type: 'dance' }), /invalid action: check its "type"/],
    ['a list in the place of an action', json([{ type: 'end' }]), /invalid action/],
    [
      'a wrong field',
      json({ type: 'suggestions', suggestions: [{ message_text: 7 }] }),
      /suggestions.0.message/,
    ],
    [
      'a script as an address',
      json({ type: 'attachment', attachment: { content_url: 'javascript:1' } }),
      /content_url/,
    ],
    [
      'an event that cannot be',
      json({ type: 'wait_for_event', name: 'a', event_id: 'evt_1', timeout_ms: 1 }),
      /event_id/,
    ],
    ['a hand-off to nowhere', json({ type: 'handoff' }), /destination/],
  ])('an answer with %s fails without any text, and is not requested again', async (_, script, message) => {
    await using endpoint = await startScriptedEndpoint(script, json({ type: 'end' }));
    const outcome = await runTurn(endpoint);
    expect(outcome).toEqual({ actions: [], error: failsWith('unavailable', message), pausesMs: [] });
    expect(endpoint.requests).toHaveLength(1);
  });

  it.each([
    ['half a line', lines(good, '{"type":"te'), /something other than actions/],
    ['an action that is not valid', lines(good, '{"type":"dance"}\n', good), /invalid action/],
    [
      'a cut',
      async (response) => {
        response.writeHead(200, { 'content-type': 'application/x-ndjson' });
        await write(response, good);
        response.socket?.resetAndDestroy();
      },
      /cut off/,
    ],
    ['too many bytes', lines(good, `${' '.repeat(2_097_152)}\n`, good), /far more than an answer/],
  ] satisfies [string, Script, RegExp][])(
    'breaks off at %s, and keeps what was said',
    async (_, script, message) => {
      await using endpoint = await startScriptedEndpoint(script);
      const outcome = await runTurn(endpoint);
      expect(outcome).toEqual({
        actions: [says('Good.')],
        error: failsWith('broken_stream', message),
        pausesMs: [],
      });
      expect(endpoint.requests).toHaveLength(1);
    },
  );

  it('an invalid answer never has its text in the logged error', async () => {
    await using endpoint = await startScriptedEndpoint(json({ type: 'text', text: ['my secret'] }));
    const { error } = await runTurn(endpoint);
    expect(String(error)).not.toContain('secret');
  });
});

describe('a server that does not answer', () => {
  const never: Script = () => {};

  it('a server without a first byte in time is not waited for', async () => {
    await using endpoint = await startScriptedEndpoint(never);
    const timeouts = { firstByteMs: SHORT_MS, idleMs: 20_000, totalMs: 20_000 };
    expect((await runTurn(endpoint, { timeouts })).error).toEqual(failsWith('timeout', /no answer within/));
    // None, where a busy machine took as long to connect.
    expect(endpoint.requests.length).toBeLessThan(2);
  });

  it('a server that stalls in its answer is abandoned', async () => {
    await using endpoint = await startScriptedEndpoint(async (response) => {
      open(response);
      await write(response, event({ type: 'text', text: 'One' }));
    });
    const timeouts = { firstByteMs: 20_000, idleMs: SHORT_MS, totalMs: 20_000 };
    expect(await runTurn(endpoint, { timeouts })).toMatchObject({
      actions: [says('One')],
      error: failsWith('timeout', /stopped in the middle/),
    });
    await endpoint.abandoned;
  });

  it('a server is asked again after 500 and 429 with Retry-After, with a new signature each time', async () => {
    await using endpoint = await startScriptedEndpoint(
      refuses(500),
      refuses(429, {}, { 'retry-after': '3' }),
      json({ type: 'end' }),
    );
    expect(await runTurn(endpoint)).toEqual({
      actions: [{ type: 'end' }],
      error: null,
      pausesMs: [500, 3000],
    });
    const ids = endpoint.requests.map(({ body }) => body['event_id']);
    expect(new Set(ids).size).toBe(1);
  });

  it('a server is overloaded when Retry-After asks for more than a visitor would wait', async () => {
    await using endpoint = await startScriptedEndpoint(refuses(429, {}, { 'retry-after': '60' }));
    expect((await runTurn(endpoint)).error).toEqual(failsWith('overloaded', /answered 429/));
  });

  it.each([
    [401, /refused the request with 401.*secret/],
    [302, /302. Redirects are not followed/],
  ])('a server is not asked again after %i', async (status, message) => {
    await using endpoint = await startScriptedEndpoint(
      refuses(status, {}, { location: 'https://elsewhere.example' }),
    );
    expect((await runTurn(endpoint)).error).toEqual(failsWith('unavailable', message));
    expect(endpoint.requests).toHaveLength(1);
  });

  it('a server at a private address gets no turn', async () => {
    await using endpoint = await startScriptedEndpoint(json({ type: 'end' }));
    const outcome = await runTurn(endpoint, {}, messageTurn('Hello?'), false);
    expect(outcome).toEqual({ actions: [], error: failsWith('unavailable', /not public/), pausesMs: [] });
    expect(endpoint.requests).toHaveLength(0);
  });
});
