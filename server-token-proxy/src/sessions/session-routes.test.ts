import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Behaviour, makeAccessToken, SESSION_PATH, TOKEN_PATH } from '../../test/fake-upstream.ts';
import {
  CONNECTOR_TOKEN,
  createProxyFixture,
  makePost,
  type ProxyFixture,
  SESSION_ID,
} from '../../test/proxy-fixture.ts';
import { createTokenProxy } from '../create-token-proxy.ts';
import { createTicketKey } from './ticket-key.ts';

let fixture: ProxyFixture;
beforeEach(async () => {
  fixture = await createProxyFixture();
});
afterEach(() => fixture.upstream.close());

const ok = (body: unknown): Behaviour => ({ status: 200, body });

describe('POST /v1/session', () => {
  it('exchanges the connector token for an access token and creates a session with it', async () => {
    const response = await fixture.post('/v1/session', {});
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      session_id: SESSION_ID,
      access_token: fixture.accessToken,
      expires_at: '2026-01-16T09:00:00.000Z',
      expires_in_seconds: 86_400,
      websocket_url: 'wss://messaging.kittiwake.example/ws',
      resume_by: 'ticket',
      resume_ticket: expect.stringMatching(
        /^[A-Za-z0-9_-]+\.\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/,
      ),
      offers: [],
    });
    const [granting, creating] = fixture.upstream.seen;
    expect(granting).toMatchObject({ method: 'POST', path: TOKEN_PATH, body: '{}' });
    expect(granting?.headers).toMatchObject({
      'x-token': CONNECTOR_TOKEN,
      'x-host': 'www.kittiwake.example',
    });
    expect(creating).toMatchObject({ method: 'POST', path: SESSION_PATH });
    expect(creating?.headers['authorization']).toBe(`Bearer ${fixture.accessToken}`);
    expect(creating?.headers['x-token']).toBeUndefined();
    expect(JSON.parse(creating?.body ?? '')).toEqual({ platform: 'web', streaming_enabled: true });
  });

  it('passes the three session settings on under their wire names', async () => {
    await fixture.post('/v1/session', { platform: 'ios-web', device_type: 'tablet', streaming: false });
    expect(JSON.parse(fixture.upstream.seen[1]?.body ?? '')).toEqual({
      platform: 'ios-web',
      device_type: 'tablet',
      streaming_enabled: false,
    });
  });

  it('requests the variant chosen by the hook, and none if it chooses none (SES-3)', async () => {
    const seen: unknown[] = [];
    const proxy = createTokenProxy({
      ...fixture.options,
      chooseVariant: async (request, { route, connector }) => {
        seen.push([route, connector]);
        return /\bplan=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? null;
      },
    });
    await proxy(makePost('/v1/session', {}, { Cookie: 'plan=brisk' }));
    await proxy(makePost('/v1/session', {}));
    const bodies = fixture.upstream.seen.filter(({ path }) => path === SESSION_PATH);
    expect(bodies.map(({ body }) => JSON.parse(body))).toEqual([
      { platform: 'web', streaming_enabled: true, variant_id: 'brisk' },
      { platform: 'web', streaming_enabled: true },
    ]);
    expect(seen).toEqual(Array(2).fill(['session', 'default']));
    const named = await proxy(makePost('/v1/session', { variant_id: 'brisk' }));
    expect(named.status, 'a page names none').toBe(400);
  });

  it('sends nothing of the caller upstream except a well-formed correlation id', async () => {
    const response = await fixture.post(
      '/v1/session',
      {},
      {
        'X-Correlation-Id': 'page-42.a_b',
        Cookie: 'sid=visitor-cookie',
        Authorization: 'Bearer visitor-login',
        'X-Forwarded-For': '203.0.113.9',
        'User-Agent': 'VisitorBrowser/1',
        'Accept-Language': 'fi',
      },
    );
    expect(response.headers.get('x-correlation-id')).toBe('page-42.a_b');
    for (const { headers } of fixture.upstream.seen) {
      expect(headers['x-correlation-id']).toBe('page-42.a_b');
      expect(headers['user-agent']).toMatch(/^natter-token-proxy\//);
      expect(JSON.stringify(headers)).not.toMatch(/visitor|203\.0\.113|"fi"/i);
      expect(headers['x-forwarded-for']).toBeUndefined();
      expect(headers['origin']).toBeUndefined();
      expect(headers['cookie']).toBeUndefined();
    }
  });

  it.each([
    ['the connection', 0, '198.51.100.7'],
    ['what the outermost proxy of ours saw', 1, '203.0.113.9'],
  ])(
    "tells the platform the visitor's address by %s, and nothing the visitor wrote",
    async (_, hops, address) => {
      const one = await createProxyFixture({ trustedProxyHops: hops });
      const headers = { 'X-Forwarded-For': '6.6.6.6, 203.0.113.9' };
      await one.post('/v1/session', {}, headers, { clientAddress: '198.51.100.7' });
      expect(one.upstream.seen.map((seen) => seen.headers['x-forwarded-for'])).toEqual([address, address]);
      await one.upstream.close();
    },
  );

  it.each(['', 'has space', 'x'.repeat(65), 'a/b'])(
    'replaces the malformed correlation id %j by a new one',
    async (id) => {
      const response = await fixture.post('/v1/session', {}, { 'X-Correlation-Id': id });
      const returned = response.headers.get('x-correlation-id');
      expect(returned).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
      expect(fixture.upstream.seen[0]?.headers['x-correlation-id']).toBe(returned);
    },
  );

  it("reads the vendor's spelling of the correlation header", async () => {
    const response = await fixture.post('/v1/session', {}, { 'x-polyai-correlation-id': 'vendor-1' });
    expect(response.headers.get('x-correlation-id')).toBe('vendor-1');
  });

  it('accepts the other spellings of token and session', async () => {
    fixture.upstream.script(TOKEN_PATH, [ok({ accessToken: 'aa.bb.cc' })]);
    fixture.upstream.script(SESSION_PATH, [{ status: 201, body: { id: 'other' } }]);
    const response = await fixture.post('/v1/session', {});
    expect(await response.json()).toMatchObject({
      session_id: 'other',
      access_token: 'aa.bb.cc',
      expires_at: '2026-01-15T10:00:00.000Z',
    });
  });

  it('requests a new access token for every session', async () => {
    await fixture.post('/v1/session', {});
    await fixture.post('/v1/session', {});
    expect(fixture.upstream.seen.map(({ path }) => path)).toEqual([
      TOKEN_PATH,
      SESSION_PATH,
      TOKEN_PATH,
      SESSION_PATH,
    ]);
  });

  it('uses the connector that the page names', async () => {
    const other = await createProxyFixture({
      connectors: {
        default: { token: 'first', host: 'a.example' },
        sales: { token: 'second', host: 'com.kittiwake.app' },
      },
    });
    await other.post('/v1/session', { connector: 'sales' });
    expect(other.upstream.seen[0]?.headers).toMatchObject({
      'x-token': 'second',
      'x-host': 'com.kittiwake.app',
    });
    const unknown = await other.post('/v1/session', { connector: '__proto__' });
    expect(unknown.status).toBe(400);
    expect(await unknown.json()).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('"__proto__"'),
    });
    expect(other.upstream.seen).toHaveLength(2);
    await other.upstream.close();
  });

  it('derives the socket address from the messaging host', async () => {
    const { upstreamUrl, websocketUrl: _, ...rest } = fixture.options;
    const proxy = createTokenProxy({ ...rest, upstreamUrl: `${upstreamUrl}/` });
    const answer = await (await proxy(makePost('/v1/session', {}))).json();
    expect(answer).toMatchObject({ websocket_url: `${upstreamUrl.replace('http:', 'ws:')}/ws` });
  });

  it('works under a mount path, and only there', async () => {
    const mounted = await createProxyFixture({ basePath: '/api/chat' });
    expect((await mounted.post('/api/chat/v1/session', {})).status).toBe(200);
    expect((await mounted.post('/v1/session', {})).status).toBe(404);
    expect((await mounted.post('/api/chatv1/session', {})).status).toBe(404);
    await mounted.upstream.close();
  });
});

describe('POST /v1/resume', () => {
  interface Session {
    readonly resume_ticket: string;
  }
  const isSession = (value: unknown): value is Session =>
    typeof value === 'object' &&
    value !== null &&
    'resume_ticket' in value &&
    typeof value.resume_ticket === 'string';
  const readSession = async (response: Response): Promise<Session> => {
    const body: unknown = await response.json();
    if (!isSession(body)) throw new Error(`no session: ${response.status}`);
    return body;
  };

  it('returns the same session with a fresh ticket, without calling the platform', async () => {
    const started = await readSession(await fixture.post('/v1/session', {}));
    fixture.clock.advance(300_000);
    const response = await fixture.post('/v1/resume', { resume_ticket: started.resume_ticket });
    expect(response.status).toBe(200);
    const resumed = await readSession(response);
    expect(resumed).toEqual({
      ...started,
      expires_in_seconds: 86_100,
      resume_ticket: expect.any(String),
    });
    expect(resumed.resume_ticket).not.toBe(started.resume_ticket);
    expect(fixture.upstream.seen).toHaveLength(2);
  });

  it('keeps a conversation resumable while its ticket is renewed in time', async () => {
    let session = await readSession(await fixture.post('/v1/session', {}));
    for (let renewals = 0; renewals < 12; renewals += 1) {
      fixture.clock.advance(590_000);
      session = await readSession(await fixture.post('/v1/resume', { resume_ticket: session.resume_ticket }));
    }
    fixture.clock.advance(601_000);
    const late = await fixture.post('/v1/resume', { resume_ticket: session.resume_ticket });
    expect(late.status).toBe(410);
    expect(await late.json()).toMatchObject({ code: 'RESUME_TICKET_INVALID', retryable: false });
  });

  it('refuses a ticket whose access token has expired meanwhile', async () => {
    const token = makeAccessToken({ exp: fixture.clock.now() / 1_000 + 60 });
    fixture.upstream.script(TOKEN_PATH, [ok({ access_token: token, expires_in: 60 })]);
    const { resume_ticket } = await readSession(await fixture.post('/v1/session', {}));
    fixture.clock.advance(64_000);
    expect((await fixture.post('/v1/resume', { resume_ticket })).status).toBe(200);
    fixture.clock.advance(1_000);
    expect((await fixture.post('/v1/resume', { resume_ticket })).status).toBe(410);
  });

  it('refuses a ticket of another page, of a foreign key and of a removed connector', async () => {
    const page = 'https://other.kittiwake.example';
    const both = { ...fixture.options, allowedOrigins: [...fixture.options.allowedOrigins, page] };
    const { resume_ticket } = await readSession(await fixture.post('/v1/session', {}));
    const body = { resume_ticket };
    const elsewhere = await createTokenProxy(both)(makePost('/v1/resume', body, { Origin: page }));
    const foreign = await createTokenProxy({ ...both, ticketKeys: [createTicketKey()] })(
      makePost('/v1/resume', body),
    );
    const removed = await createTokenProxy({ ...both, connectors: { sales: { token: 't', host: 'h' } } })(
      makePost('/v1/resume', body),
    );
    expect([elsewhere.status, foreign.status, removed.status]).toEqual([410, 410, 410]);
    expect((await createTokenProxy(both)(makePost('/v1/resume', body))).status).toBe(200);
  });

  it('takes the ticket of the largest access token that a session is started with', async () => {
    const padding = 'p'.repeat(5_900);
    const token = makeAccessToken({ padding });
    expect(token.length).toBeGreaterThan(7_900);
    fixture.upstream.script(TOKEN_PATH, [ok({ access_token: token })]);
    const { resume_ticket } = await readSession(await fixture.post('/v1/session', {}));
    expect((await fixture.post('/v1/resume', { resume_ticket })).status).toBe(200);
  });
});

describe('GET /v1/health', () => {
  it('refuses a page of another origin with a readable error', async () => {
    const ask = (headers: Readonly<Record<string, string>>): Promise<Response> =>
      fixture.proxy(new Request('https://chat.kittiwake.example/v1/health', { headers }));
    const foreign = await ask({ origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' });
    expect(foreign.status).toBe(403);
    expect(foreign.headers.get('access-control-allow-origin')).toBe('https://elsewhere.example');
    expect(await foreign.json()).toMatchObject({ code: 'ORIGIN_NOT_ALLOWED', retryable: false });
    // A person who opens the address in a browser.
    expect((await ask({ 'sec-fetch-site': 'none' })).status).toBe(200);
  });

  it('reports ok while the platform responds, checking it at most once in half a second', async () => {
    const ask = (): Promise<Response> =>
      fixture.proxy(new Request('https://chat.kittiwake.example/v1/health'));
    const [first, second] = await Promise.all([ask(), ask()]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(await first.json()).toEqual({ status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
    expect(fixture.upstream.seen).toHaveLength(1);
    await fixture.upstream.close();
    expect((await ask()).status).toBe(200);
    fixture.clock.advance(500);
    const down = await ask();
    expect(down.status).toBe(503);
    expect(down.headers.get('retry-after')).toBe('5');
    expect(await down.json()).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      retryable: true,
      retry_after_seconds: 5,
    });
  });
});
