import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSkippingClock } from '../test/realtime/skipping-clock.ts';
import { createAccessTokens } from './accounts/tokens/access-tokens.ts';
import { createAuthFailureLimiter } from './accounts/tokens/auth-failure-limiter.ts';
import { loadConfig } from './app/config/index.ts';
import { type Platform, startPlatform } from './app/start-platform.ts';

const LIMIT = 100;

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

describe('a platform whose keys and tokens are guessed', () => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await startPlatform({
      config: await loadConfig({}, { NATTER_TRUSTED_PROXY_HOPS: '1' }),
      dataDir: 'memory',
      port: 0,
    });
  });
  afterAll(() => platform.close());

  const keyOf = (name: string): string => platform.addedKeys.find((key) => key.name === name)?.key ?? '';
  const tokenOf = (): string => platform.developmentConnector?.token ?? '';

  /** A request as the one trusted proxy passes it on from a client. */
  const ask = async (
    methodAndPath: string,
    address: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<Answer> => {
    const [method = '', path = ''] = methodAndPath.split(' ');
    const answer = await fetch(`${platform.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...headers },
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      body: text === '' ? {} : JSON.parse(text),
    };
  };

  const handshake = (address: string, accessToken: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const url = `${platform.url}/ws?session_id=s&access_token=${accessToken}`;
      const headers = {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'X-Forwarded-For': address,
      };
      const asked = request(url, { headers, agent: false }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'] ?? null,
          body: JSON.parse(Buffer.concat(chunks).toString()),
        });
      });
      asked.once('error', reject);
      asked.end();
    });

  const statusesOf = async (count: number, guess: (n: number) => Promise<Answer>): Promise<number[]> => {
    const statuses: number[] = [];
    for (let n = 0; n < count; n += 1) statuses.push((await guess(n)).status);
    return statuses;
  };
  const REFUSED = Array<number>(LIMIT).fill(401);

  let lastAddress = 0;
  const chat = { 'x-api-key': '', 'x-token': '' };
  const attributes = JSON.stringify({ attributes: {} });
  const query = 'event_id_location=payload&event_id_path=a&account_id=kittiwake&project_id=kittiwake';
  it.each([
    ['chat', 'POST /v1/kittiwake/kittiwake/chat/create', 'runtime', '{}', 200],
    ['conversations', 'GET /v3/kittiwake/kittiwake/conversations', 'runtime', undefined, 200],
    ['conversations v1', 'GET /v1/kittiwake/kittiwake/conversations', 'legacy', undefined, 200],
    ['concurrency', 'GET /v1/kittiwake/kittiwake/conversations/concurrency', 'runtime', undefined, 400],
    ['external events', `POST /v1/external-events/webhook?${query}`, 'external-events', '{}', 400],
    ['number reservation', 'POST /v1/conversations/dni-reservation', 'dni', attributes, 200],
    ['handoff state', 'GET /v1/kittiwake/kittiwake/handoff_state?id=a', 'runtime', undefined, 404],
    ['voice preview', 'POST /v1/agents/kittiwake/generate-audio', 'monitoring', '{}', 400],
    ['alert rules', 'GET /v1/alert-rules', 'monitoring', undefined, 200],
    ['alerts', 'GET /v1/alerts', 'monitoring', undefined, 200],
    ['webhook endpoints', 'GET /v1/webhook-endpoints', 'monitoring', undefined, 200],
  ])(
    'answers 429 to a client that guesses keys of %s, and serves the right key all the same',
    async (family, path, name, body, status) => {
      lastAddress += 1;
      const address = `192.0.2.${lastAddress}`;
      const guess = (n: number): Promise<Answer> =>
        ask(path, address, { ...chat, 'x-api-key': `nak_${n}-${family.replaceAll(' ', '-')}-guess` }, body);
      expect(await statusesOf(LIMIT, guess)).toEqual(REFUSED);
      const refused = await guess(LIMIT);
      expect(refused.status).toBe(429);
      expect(Number(refused.retryAfter)).toBeGreaterThanOrEqual(1);
      const text = refused.body['error_message'] ?? refused.body['message'];
      expect(text).toBe('Rate limit exceeded');
      const right = { 'x-api-key': keyOf(name), 'x-token': tokenOf() };
      expect((await ask(path, address, right, body)).status).toBe(status);
      // No key at all is no guess.
      expect((await ask(path, address, chat, body)).status).toBe(401);
    },
  );

  it('counts failed connector tokens of chat', async () => {
    const path = 'POST /v1/kittiwake/kittiwake/chat/create';
    const guess = (n: number): Promise<Answer> =>
      ask(path, '198.51.100.1', { 'x-api-key': keyOf('runtime'), 'x-token': `nct_${n}-chat-guess` }, '{}');
    expect(await statusesOf(LIMIT + 1, guess)).toEqual([...REFUSED, 429]);
  });

  it('counts failed connector tokens of the token exchange, with the error body of messaging', async () => {
    const mint = (token: string): Promise<Answer> =>
      ask('POST /api/v1/access-token', '198.51.100.2', { 'x-token': token, 'x-host': 'localhost' }, '{}');
    expect(await statusesOf(LIMIT, (n) => mint(`nct_${n}-exchange-guess`))).toEqual(REFUSED);
    const refused = await mint('nct_another-guess');
    expect(refused).toMatchObject({
      status: 429,
      body: { success: false, message: 'Rate limit exceeded', error_code: 'RATE_LIMITED' },
    });
    expect(Number(refused.retryAfter)).toBeGreaterThanOrEqual(1);
    expect((await mint(tokenOf())).status).toBe(200);
  });

  it('counts failed access tokens of sessions and handshakes together', async () => {
    const address = '198.51.100.3';
    const start = (): Promise<Answer> =>
      ask('POST /api/v1/sessions', address, { authorization: 'Bearer a.b.c' }, '{}');
    expect(await statusesOf(LIMIT / 2, start)).toEqual(REFUSED.slice(LIMIT / 2));
    expect(await statusesOf(LIMIT / 2, () => handshake(address, 'a.b.c'))).toEqual(REFUSED.slice(LIMIT / 2));
    const refused = await handshake(address, 'a.b.c');
    expect(refused).toMatchObject({ status: 429, body: { error_code: 'RATE_LIMITED' } });
    expect(Number(refused.retryAfter)).toBeGreaterThanOrEqual(1);
    expect((await start()).status).toBe(429);
    // Failures of other clients at its address do not affect a client with a valid token.
    const minted = await ask(
      'POST /api/v1/access-token',
      address,
      { 'x-token': tokenOf(), 'x-host': 'localhost' },
      '{}',
    );
    const right = String(minted.body['access_token']);
    expect((await handshake(address, right)).status).toBe(404);
    expect((await handshake('198.51.100.4', 'a.b.c')).status).toBe(401);
  });

  it('counts failed keys by the address that the proxy wrote, ignoring addresses that the caller invented', async () => {
    const guess = (n: number): Promise<Answer> =>
      ask('GET /v1/alerts', `10.0.0.${n}, 198.51.100.5`, { 'x-api-key': `nak_${n}-made-up-address` });
    expect(await statusesOf(LIMIT + 1, guess)).toEqual([...REFUSED, 429]);
  });

  it('counts failed keys with the same beginning across addresses', async () => {
    const guess = (n: number): Promise<Answer> =>
      ask('GET /v1/alerts', `203.0.113.${n}`, { 'x-api-key': `nak_leaked12-${n}-guess` });
    expect(await statusesOf(LIMIT + 1, guess)).toEqual([...REFUSED, 429]);
    expect((await ask('GET /v1/alerts', '203.0.113.1', { 'x-api-key': 'nak_other-beginning' })).status).toBe(
      401,
    );
  });
});

describe('the limiter of guesses', () => {
  const clock = createSkippingClock();

  it('admits an address again after a minute without failed credentials', async () => {
    const guesses = createAuthFailureLimiter({ clock, limit: 2 });
    const guess = () => guesses.count('a', `key-${clock.now()}-${Math.random()}`);
    const allowed = async () => (await guess()).allowed;
    expect([await allowed(), await allowed(), await allowed()]).toEqual([true, true, false]);
    clock.skip(60_000);
    expect(await guess()).toEqual({ allowed: true });
  });

  it('limits how many addresses and key beginnings are counted', async () => {
    const guesses = createAuthFailureLimiter({ clock, limit: 1 });
    for (let n = 0; n < 50_000; n += 1) await guesses.count(`address-${n}`, `key-${n}`);
    expect(guesses.size).toBeLessThanOrEqual(20_000);
    expect((await guesses.count('address-49999', 'another')).allowed).toBe(false);
  });

  it('distinguishes its own expired tokens from invented ones', async () => {
    const secrets = [new Uint8Array(32).fill(7)];
    let nowMs = 0;
    const create = (given = secrets) =>
      createAccessTokens({ secrets: given, issuer: 'natter', now: () => nowMs });
    const tokens = await create();
    const { token, expiresInSeconds } = await tokens.mint({ connectorId: 'c', host: 'h' });
    expect(await tokens.isExpired(token)).toBe(false);
    nowMs = (expiresInSeconds + 60) * 1_000;
    expect([await tokens.verify(token), await tokens.isExpired(token)]).toEqual([null, true]);
    const others = await create([new Uint8Array(32).fill(8)]);
    expect(await others.isExpired(token)).toBe(false);
    expect(await tokens.isExpired(`${token}x`)).toBe(false);
  });
});
