import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Behaviour, SESSION_PATH, TOKEN_PATH } from '../../test/fake-upstream.ts';
import { createProxyFixture, makePost, type ProxyFixture } from '../../test/proxy-fixture.ts';
import { createTokenProxy } from '../create-token-proxy.ts';
import { ERROR_CODES } from '../error-codes.ts';

let fixture: ProxyFixture;
const unhandled: unknown[] = [];
const keep = (reason: unknown): void => {
  unhandled.push(reason);
};
beforeEach(async () => {
  unhandled.length = 0;
  process.on('unhandledRejection', keep);
  fixture = await createProxyFixture();
});
afterEach(async () => {
  await fixture.upstream.close();
  // Unhandled rejections are reported after the microtasks, so one event loop turn is enough.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', keep);
  expect(unhandled).toEqual([]);
});

const fail = (status: number, text: string, headers: Record<string, string> = {}): Behaviour => ({
  status,
  headers,
  body: { success: false, message: text, error: text, error_message: text },
});
const attempts = (path: string): number =>
  fixture.upstream.seen.filter((request) => request.path === path).length;

async function expectRefusal(
  response: Response,
  code: keyof typeof ERROR_CODES,
): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = Object(await response.json());
  expect(body).toMatchObject({
    code,
    retryable: ERROR_CODES[code].retryable,
    message: expect.stringMatching(/^[A-Z].{20,}\.$/),
    correlation_id: response.headers.get('x-correlation-id'),
  });
  expect(response.status).toBe(ERROR_CODES[code].status);
  return body;
}

describe('a platform that refuses the connector', () => {
  it.each([
    'Missing authentication headers',
    'Connector token does not exist',
    'Connector missing host domain',
    'Failed to validate connector',
  ])('is final: 401 %s', async (text) => {
    fixture.upstream.script(TOKEN_PATH, [fail(401, text)]);
    const body = await expectRefusal(await fixture.post('/v1/session', {}), 'CONNECTOR_REJECTED');
    expect(body['message']).toContain(text);
    expect(attempts(TOKEN_PATH)).toBe(1);
    expect(attempts(SESSION_PATH)).toBe(0);
  });

  it.each([
    ['403 reads as 401', 403, 'Forbidden by something'],
    ['a body it calls unreadable', 400, 'Error parsing request'],
    ['an agent that cannot be found, even as 500', 500, 'Unable to get agent details from connector service'],
  ])('a platform that refuses the connector is asked once: %s', async (_, status, text) => {
    fixture.upstream.script(TOKEN_PATH, [fail(status, text)]);
    await expectRefusal(await fixture.post('/v1/session', {}), 'CONNECTOR_REJECTED');
    expect(attempts(TOKEN_PATH)).toBe(1);
  });

  it('is final when the fresh access token is refused', async () => {
    fixture.upstream.script(SESSION_PATH, [fail(401, 'Invalid access token')]);
    await expectRefusal(await fixture.post('/v1/session', {}), 'CONNECTOR_REJECTED');
    expect(attempts(SESSION_PATH)).toBe(1);
  });

  it('does not repeat texts that the contract does not know', async () => {
    fixture.upstream.script(TOKEN_PATH, [fail(401, 'db password is swordfish')]);
    const body = await expectRefusal(await fixture.post('/v1/session', {}), 'CONNECTOR_REJECTED');
    expect(JSON.stringify([body, fixture.logLines])).not.toContain('swordfish');
  });
});

describe('a platform that is rate limited', () => {
  it('a platform that is rate limited is asked again after its Retry-After', async () => {
    fixture.upstream.script(TOKEN_PATH, [
      fail(429, 'Rate limit exceeded', { 'Retry-After': '3' }),
      { status: 200, body: { access_token: fixture.accessToken } },
    ]);
    expect((await fixture.post('/v1/session', {})).status).toBe(200);
    expect(fixture.clock.waits).toEqual([3_000]);
  });

  it('is not waited for beyond the deadline; the caller learns how long to wait', async () => {
    fixture.upstream.script(SESSION_PATH, [fail(429, 'Rate limit exceeded', { 'Retry-After': '25.2' })]);
    const response = await fixture.post('/v1/session', {});
    expect(await expectRefusal(response, 'UPSTREAM_RATE_LIMITED')).toMatchObject({ retry_after_seconds: 26 });
    expect(response.headers.get('retry-after')).toBe('26');
    expect(fixture.clock.waits).toEqual([]);
  });

  it('a platform that is rate limited is asked four times in all', async () => {
    fixture.upstream.script(TOKEN_PATH, [fail(429, 'Rate limit exceeded', { 'Retry-After': '1' })]);
    await expectRefusal(await fixture.post('/v1/session', {}), 'UPSTREAM_RATE_LIMITED');
    expect(attempts(TOKEN_PATH)).toBe(4);
  });
});

describe('a platform that fails', () => {
  it('is asked again after 1, 2 and 4 seconds', async () => {
    const broken = fail(500, 'Failed to create access token');
    fixture.upstream.script(TOKEN_PATH, [
      broken,
      broken,
      'reset',
      { status: 200, body: { access_token: 'a.b.c' } },
    ]);
    expect((await fixture.post('/v1/session', {})).status).toBe(200);
    expect(fixture.clock.waits).toEqual([1_000, 2_000, 4_000]);
  });

  it('is given up after the fourth attempt', async () => {
    fixture.upstream.script(TOKEN_PATH, [fail(503, 'down')]);
    const response = await fixture.post('/v1/session', {});
    await expectRefusal(response, 'UPSTREAM_UNAVAILABLE');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(attempts(TOKEN_PATH)).toBe(4);
  });

  it('shares one deadline between both calls', async () => {
    const broken = fail(500, 'Failed to create access token');
    const proxy = createTokenProxy({ ...fixture.options, deadlineMs: 8_000 });
    fixture.upstream.script(TOKEN_PATH, [
      broken,
      broken,
      broken,
      { status: 200, body: { access_token: 'a.b.c' } },
    ]);
    fixture.upstream.script(SESSION_PATH, [fail(500, 'Failed to create session')]);
    await expectRefusal(await proxy(makePost('/v1/session', {})), 'UPSTREAM_UNAVAILABLE');
    // The token took seven of the eight seconds, so the session is tried once, without a delay.
    expect(fixture.clock.waits).toEqual([1_000, 2_000, 4_000]);
    expect(attempts(SESSION_PATH)).toBe(1);
  });

  it('is unavailable when nothing listens at its address', async () => {
    await fixture.upstream.close();
    await expectRefusal(await fixture.post('/v1/session', {}), 'UPSTREAM_UNAVAILABLE');
    expect(fixture.logLines.at(-1)?.fields).toMatchObject({
      upstreamFault: 'ECONNREFUSED',
      upstreamAttempts: 4,
    });
  });

  it.each<[string, Behaviour]>([
    ['no JSON', { status: 200, raw: '<html>captive portal</html>' }],
    ['half a JSON', { status: 200, raw: '{"access_token":"a' }],
    ['an empty token', { status: 200, body: { access_token: '' } }],
    ['no token', { status: 200, body: {} }],
    ['an endless answer', { status: 200, raw: `{"access_token":"${'x'.repeat(70_000)}"}` }],
    ['a wrong address', fail(404, 'Resource not found')],
    ['a redirect', { status: 307, headers: { Location: '/elsewhere' }, body: {} }],
  ])('is not understood, and not asked again: %s', async (_, behaviour) => {
    fixture.upstream.script(TOKEN_PATH, [behaviour]);
    await expectRefusal(await fixture.post('/v1/session', {}), 'UPSTREAM_INVALID_RESPONSE');
    expect(fixture.upstream.seen).toHaveLength(1);
  });

  it.each<[string, Behaviour]>([
    ['an empty session', { status: 200, body: { session_id: '' } }],
    ['no JSON', { status: 200, raw: 'ok' }],
  ])('is not understood when the session is %s', async (_, behaviour) => {
    fixture.upstream.script(SESSION_PATH, [behaviour]);
    await expectRefusal(await fixture.post('/v1/session', {}), 'UPSTREAM_INVALID_RESPONSE');
  });
});

describe('a platform that hangs', () => {
  it('is dropped and asked again when one attempt takes too long', async () => {
    // Long enough for the second attempt on a busy machine.
    const proxy = createTokenProxy({ ...fixture.options, attemptTimeoutMs: 2_000 });
    fixture.upstream.script(TOKEN_PATH, ['hang', { status: 200, body: { access_token: 'a.b.c' } }]);
    expect((await proxy(makePost('/v1/session', {}))).status).toBe(200);
    await fixture.upstream.dropped();
    expect(attempts(TOKEN_PATH)).toBe(2);
  });

  it('a platform that hangs is dropped at the deadline', async () => {
    const proxy = createTokenProxy({ ...fixture.options, deadlineMs: 100 });
    fixture.upstream.script(TOKEN_PATH, ['hang']);
    await expectRefusal(await proxy(makePost('/v1/session', {})), 'UPSTREAM_UNAVAILABLE');
    await fixture.upstream.dropped();
    expect(fixture.logLines.at(-1)?.fields).toMatchObject({ reason: 'the deadline passed' });
  });

  it('is dropped as soon as the caller goes away', async () => {
    const caller = new AbortController();
    fixture.upstream.script(TOKEN_PATH, ['hang']);
    const pending = fixture.proxy(new Request(makePost('/v1/session', {}), { signal: caller.signal }));
    await fixture.upstream.arrival(TOKEN_PATH);
    caller.abort();
    await fixture.upstream.dropped();
    expect((await pending).status).toBe(503);
    expect(fixture.logLines.at(-1)?.fields).toMatchObject({ reason: 'the caller went away' });
  });
});

describe('a host program that fails', () => {
  it('answers 500 without the reason, which goes to the log without secrets', async () => {
    const proxy = createTokenProxy({
      ...fixture.options,
      authorize: () => {
        throw new Error(`login store at https://db.internal/?key=1 refused ${fixture.accessToken}`);
      },
    });
    const body = await expectRefusal(await proxy(makePost('/v1/session', {})), 'INTERNAL');
    expect(JSON.stringify(body)).not.toContain('login store');
    const [line] = fixture.logLines.slice(-1);
    expect(line?.level).toBe('error');
    expect(line?.fields['fault']).toMatch(/login store at \[redacted\] refused \[redacted\]/);
  });

  it('the token proxy answers although the log throws', async () => {
    const boom = (): never => {
      throw new Error('disk full');
    };
    const proxy = createTokenProxy({ ...fixture.options, log: { info: boom, warn: boom, error: boom } });
    expect((await proxy(makePost('/v1/session', {}))).status).toBe(200);
  });

  it('ends an authorize hook that never answers at the deadline', async () => {
    const proxy = createTokenProxy({
      ...fixture.options,
      deadlineMs: 50,
      authorize: () => new Promise(() => {}),
    });
    expect((await proxy(makePost('/v1/session', {}))).status).toBe(503);
    expect(fixture.upstream.seen).toHaveLength(0);
  });
});
