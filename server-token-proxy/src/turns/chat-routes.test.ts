import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Behaviour } from '../../test/fake-upstream.ts';
import {
  CONNECTOR_TOKEN,
  createProxyFixture,
  makePost,
  type ProxyFixture,
} from '../../test/proxy-fixture.ts';
import { createTokenProxy } from '../create-token-proxy.ts';
import type { TokenProxyOptions } from '../options.ts';
import { createTicketKey } from '../sessions/ticket-key.ts';

const API_KEY = 'api-key-kittiwake-77c1';
const BASE = '/v1/kittiwake/web/chat';
const CREATE = `${BASE}/create`;
const RESPOND = `${BASE}/respond`;
const CLOSE = `${BASE}/close`;

let fixture: ProxyFixture;
let options: TokenProxyOptions;
beforeEach(async () => {
  fixture = await createProxyFixture();
  const chat = {
    baseUrl: fixture.upstream.url,
    apiKey: API_KEY,
    accountId: 'kittiwake',
    projectId: 'web',
  };
  const connector = { token: CONNECTOR_TOKEN, host: 'www.kittiwake.example', chat };
  options = { ...fixture.options, connectors: { default: connector } };
  fixture.upstream.script(CREATE, [ok({ conversation_id: 'CONV-1', response: 'Ahoy' })]);
  fixture.upstream.script(RESPOND, [ok(reply('Every hour.'))]);
  fixture.upstream.script(CLOSE, [ok({ success: true })]);
});
afterEach(() => fixture.upstream.close());

const ok = (body: unknown): Behaviour => ({ status: 200, body });
const reply = (response: string, more: object = {}) => ({
  conversation_id: 'CONV-1',
  response,
  end_conversation: false,
  ...more,
});
const refusal = (status: number, code: string): Behaviour => ({
  status,
  body: { success: false, error: code, error_message: code, error_code: code, error_id: 'e', data: null },
});

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

async function post(
  path: string,
  body: object,
  more: Partial<TokenProxyOptions> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const proxy = createTokenProxy({ ...options, ...more });
  const response = await proxy(makePost(path, body, headers), { clientAddress: '203.0.113.9' });
  const text = await response.text();
  return { status: response.status, text, body: Object(JSON.parse(text)) };
}

const create = async (): Promise<string> => String((await post('/v1/chat/create', {})).body['chat']);

describe('a chat without a socket', () => {
  it('starts a chat without a socket with the agent’s first text, and does not reveal the keys', async () => {
    const { status, text, body } = await post('/v1/chat/create', {});
    expect([status, body]).toEqual([
      200,
      {
        chat: expect.stringMatching(/^eyJ[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/),
        resume_by: 'ticket',
        text: 'Ahoy',
        is_over: false,
      },
    ]);
    expect(text).not.toMatch(/CONV-1|api-key|connector-token/);
    const [request] = fixture.upstream.seen;
    expect(request).toMatchObject({ method: 'POST', path: CREATE });
    expect(request?.headers).toMatchObject({
      'x-api-key': API_KEY,
      'x-token': CONNECTOR_TOKEN,
      'x-forwarded-for': '203.0.113.9',
    });
    expect(JSON.parse(request?.body ?? '')).toEqual({ channel: 'webchat' });
  });

  it('starts a chat in the variant chosen by the hook', async () => {
    await post('/v1/chat/create', {}, { chooseVariant: (_, { route }) => `${route}-brisk` });
    const [request] = fixture.upstream.seen;
    expect(JSON.parse(request?.body ?? '')).toEqual({ channel: 'webchat', variant_id: 'chat-brisk' });
  });

  it('handles turns, each with a fresh reference to the same conversation', async () => {
    const chat = await create();
    const first = await post('/v1/chat/respond', { chat, text: 'When does it leave?' });
    expect(first.body).toEqual({
      chat: expect.any(String),
      resume_by: 'ticket',
      text: 'Every hour.',
      is_over: false,
    });
    expect(first.body['chat']).not.toBe(chat);
    await post('/v1/chat/respond', { chat: first.body['chat'], text: 'And on Sundays?' });
    const bodies = fixture.upstream.seen
      .filter(({ path }) => path === RESPOND)
      .map(({ body }): unknown => JSON.parse(body));
    expect(bodies).toEqual([
      { conversation_id: 'CONV-1', message: 'When does it leave?' },
      { conversation_id: 'CONV-1', message: 'And on Sundays?' },
    ]);
  });

  it('reports the end of a chat, and its handoff', async () => {
    const handoff = { destination: 'harbour office', reason: 'lost luggage' };
    fixture.upstream.script(RESPOND, [ok(reply('One moment.', { end_conversation: true, handoff }))]);
    const { body } = await post('/v1/chat/respond', { chat: await create(), text: 'My bag is gone' });
    expect(body).toMatchObject({ text: 'One moment.', is_over: true, handoff });
  });

  it("closes a chat without a socket at the page's request", async () => {
    const closed = await post('/v1/chat/close', { chat: await create() });
    expect([closed.status, closed.body]).toEqual([200, { status: 'closed' }]);
    expect(fixture.upstream.seen.at(-1)).toMatchObject({ method: 'PUT', path: CLOSE });
  });

  it('reports chat access in a probe', async () => {
    const handshake = async () => ({ status: 101, retryAfter: null });
    const pair = { session_id: 's', access_token: 'a.b.c' };
    const { body } = await post('/v1/probe', pair, { handshake });
    expect(body).toEqual({ handshake: 'accepted', status: 101, has_chat: true });
  });
});

describe('the reference', () => {
  it('accepts a chat reference only for its page and key within half an hour, and not as a resume ticket', async () => {
    const chat = await create();
    const turn = { chat, text: 'Hello' };
    const page = 'https://other.kittiwake.example';
    const allowedOrigins = [...options.allowedOrigins, page];
    const elsewhere = await post('/v1/chat/respond', turn, { allowedOrigins }, { Origin: page });
    const foreign = await post('/v1/chat/respond', turn, { ticketKeys: [createTicketKey()] });
    const ticket = (await post('/v1/session', {})).body['resume_ticket'];
    const confused = await post('/v1/chat/respond', { chat: ticket, text: 'Hello' });
    const resumed = await post('/v1/resume', { resume_ticket: chat });
    fixture.clock.advance(1_799_000);
    const late = await post('/v1/chat/respond', turn);
    fixture.clock.advance(1_000);
    const tooLate = await post('/v1/chat/respond', turn);
    expect([elsewhere, foreign, confused, resumed, late, tooLate].map(({ status }) => status)).toEqual([
      410, 410, 410, 410, 200, 410,
    ]);
    expect(elsewhere.body).toMatchObject({ code: 'CHAT_ENDED', retryable: false });
    expect(resumed.body).toMatchObject({ code: 'RESUME_TICKET_INVALID' });
  });
});

describe('the cookie of a chat', () => {
  const SAME_SITE = { 'Sec-Fetch-Site': 'same-site' };

  /** One request of a page on the proxy's site, with the cookies sent and received. */
  async function visit(path: string, body: object, cookie = '') {
    const request = makePost(path, body, { ...SAME_SITE, Cookie: cookie });
    const response = await createTokenProxy(options)(request, { clientAddress: '203.0.113.9' });
    const cookies = response.headers.getSetCookie();
    return { status: response.status, body: Object(await response.json()), cookies };
  }
  const pairOf = (cookies: readonly string[]): string => cookies[0]?.split(';')[0] ?? '';
  const removal = (pair: string) => expect.stringMatching(`^${pair.split('=')[0]}=; Max-Age=0; `);

  it("sets the chat's cookie with the first turn, and continues the conversation after a reload", async () => {
    const created = await visit('/v1/chat/create', {});
    expect(created.body).toMatchObject({ chat: expect.any(String), resume_by: 'cookie' });
    expect(created.cookies).toEqual([]);
    const first = await visit('/v1/chat/respond', { chat: created.body.chat, text: 'Dogs?' });
    expect(first.cookies).toEqual([
      expect.stringMatching(
        /^__Host-natter-[\w-]{12}=eyJ[\w.-]+; Max-Age=1800; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
      ),
    ]);
    const next = await visit('/v1/chat/respond', { text: 'And cats?' }, pairOf(first.cookies));
    expect(next.body).toMatchObject({ resume_by: 'cookie', text: 'Every hour.' });
    expect(JSON.parse(fixture.upstream.seen.at(-1)?.body ?? '')).toEqual({
      conversation_id: 'CONV-1',
      message: 'And cats?',
    });
  });

  it("removes the chat's cookie when the conversation is closed, over, abandoned or logged out", async () => {
    const { body } = await visit('/v1/chat/create', {});
    const pair = pairOf((await visit('/v1/chat/respond', { chat: body.chat, text: 'Dogs?' })).cookies);
    const gone = removal(pair);
    expect((await visit('/v1/chat/create', {}, pair)).cookies).toEqual([gone]);
    expect((await visit('/v1/chat/close', {}, pair)).cookies).toEqual([gone]);
    expect((await visit('/v1/logout', {}, pair)).cookies).toContainEqual(gone);
    fixture.upstream.script(RESPOND, [ok(reply('Bye.', { end_conversation: true }))]);
    const last = await visit('/v1/chat/respond', { text: 'Bye' }, pair);
    expect([last.body.resume_by, last.cookies]).toEqual(['cookie', [gone]]);
  });

  it("neither sets nor reads the chat's cookie for a page of another site", async () => {
    const { body } = await visit('/v1/chat/create', {});
    const pair = pairOf((await visit('/v1/chat/respond', { chat: body.chat, text: 'Dogs?' })).cookies);
    const elsewhere = { 'Sec-Fetch-Site': 'cross-site', Cookie: pair };
    const refused = await post('/v1/chat/respond', { text: 'Hello' }, {}, elsewhere);
    expect([refused.status, refused.body['code']]).toEqual([410, 'CHAT_ENDED']);
    const named = await post('/v1/chat/respond', { chat: body.chat, text: 'Hello' }, {}, elsewhere);
    expect(named.body).toMatchObject({ resume_by: 'ticket' });
  });
});

describe('a turn that fails', () => {
  it.each([
    [refusal(410, 'ChatConversationEnded'), 410, 'CHAT_ENDED'],
    [refusal(400, 'CHAT_TIMEOUT'), 410, 'CHAT_ENDED'],
    [refusal(404, 'CONVERSATIONS_NOT_FOUND'), 410, 'CHAT_ENDED'],
    [refusal(401, 'AUTH_INVALID_API_KEY'), 502, 'CONNECTOR_REJECTED'],
    [refusal(403, 'USER_ACCESS_FORBIDDEN'), 502, 'CONNECTOR_REJECTED'],
    [refusal(429, 'RATE_LIMITED'), 429, 'UPSTREAM_RATE_LIMITED'],
    [refusal(500, 'INTERNAL_ERROR'), 503, 'UPSTREAM_UNAVAILABLE'],
    [refusal(404, 'PROJECT_NOT_FOUND'), 502, 'UPSTREAM_INVALID_RESPONSE'],
    ['reset' as const, 503, 'UPSTREAM_UNAVAILABLE'],
  ])(
    'translates %j of a failed turn into the page’s own terms, after one attempt',
    async (behaviour, status, code) => {
      const chat = await create();
      fixture.upstream.script(RESPOND, [behaviour]);
      const answer = await post('/v1/chat/respond', { chat, text: 'Hello' });
      expect([answer.status, answer.body['code']]).toEqual([status, code]);
      expect(answer.text).not.toMatch(/CONV-1|api-key|connector-token/);
      expect(fixture.upstream.seen.filter(({ path }) => path === RESPOND)).toHaveLength(1);
    },
  );

  it('logs no key, text or conversation of a failed turn', async () => {
    const chat = await create();
    for (const behaviour of [refusal(401, 'AUTH_INVALID_API_KEY'), 'reset' as const]) {
      fixture.upstream.script(RESPOND, [behaviour]);
      await post('/v1/chat/respond', { chat, text: 'my secret words' });
    }
    expect(JSON.stringify(fixture.logLines)).not.toMatch(/CONV-1|api-key|connector-token|secret words|eyJ/);
  });

  it('refuses a turn that cannot succeed before sending it', async () => {
    const chat = await create();
    const before = fixture.upstream.seen.length;
    const refused = await Promise.all([
      post('/v1/chat/respond', { chat, text: ' ' }),
      post('/v1/chat/respond', { chat, text: 'x'.repeat(131_073) }),
      post('/v1/chat/respond', { chat: '', text: 'Hello' }),
      post('/v1/chat/create', { connector: 'sales' }),
      post('/v1/chat/respond', { chat, text: 'Hello' }, { authorize: () => false }),
      post('/v1/chat/create', {}, { authorize: () => false }),
      post('/v1/chat/create', {}, {}, { Origin: 'https://evil.test' }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 403, 403, 403]);
    expect(fixture.upstream.seen).toHaveLength(before);
  });

  it('counts turns against a separate limit', async () => {
    const chat = await create();
    const proxy = createTokenProxy({ ...options, limits: { ...options.limits, turnsPerClient: 2 } });
    const statuses: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const request = makePost('/v1/chat/respond', { chat, text: 'Hello' });
      statuses.push((await proxy(request, { clientAddress: '203.0.113.1' })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });
});

it('reports that a connector has no chat access', async () => {
  const answer = await fixture.post('/v1/chat/create', {});
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ code: 'CHAT_NOT_AVAILABLE', retryable: false });
});

it.each([
  [{ baseUrl: 'http://api.example.com' }, 'connectors.default.chat.baseUrl must begin with https://'],
  [{ apiKey: '' }, 'connectors.default.chat.apiKey is missing'],
  [{ projectId: 'a b' }, 'connectors.default.chat.projectId holds a space'],
])('checks chat access at the start: %j', (wrong, problem) => {
  const connector = options.connectors['default'];
  if (connector?.chat === undefined) throw new Error('The fixture has chat access.');
  const chat = { ...connector.chat, ...wrong };
  expect(() => createTokenProxy({ ...options, connectors: { default: { ...connector, chat } } })).toThrow(
    problem,
  );
});
