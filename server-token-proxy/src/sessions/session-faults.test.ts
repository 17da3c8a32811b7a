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
  ])('fails finally when the platform refuses the connector with 401 %s', async (text) => {
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
  ])('calls a platform once that refuses the connector: %s', async (_, status, text) => {
    fixture.upstream.script(TOKEN_PATH, [fail(status, text)]);
    await expectRefusal(await fixture.post('/v1/session', {}), 'CONNECTOR_REJECTED');
    expect(attempts(TOKEN_PATH)).toBe(1);
  });

  it('fails finally when the platform refuses the fresh access token', async () => {
    fixture.upstream.script(SESSION_PATH, [fail(401, 'Invalid access token')]);
    await expectRefusal(await fixture.post('/v1/session', {}), 'CONNECTOR_REJECTED');
    expect(attempts(SESSION_PATH)).toBe(1);
  });

  it('does not pass on texts that the contract does not list', async () => {
    fixture.upstream.script(TOKEN_PATH, [fail(401, 'db password is swordfish')]);
    const body = await expectRefusal(await fixture.post('/v1/session', {}), 'CONNECTOR_REJECTED');
    expect(JSON.stringify([body, fixture.logLines])).not.toContain('swordfish');
  });
});

describe('a platform that is rate limited', () => {
  it('retries a rate-limited platform after its Retry-After', async () => {
    fixture.upstream.script(TOKEN_PATH, [
      fail(429, 'Rate limit exceeded', { 'Retry-After': '3' }),
      { status: 200, body: { access_token: fixture.accessToken } },
    ]);
    expect((await fixture.post('/v1/session', {})).status).toBe(200);
    expect(fixture.clock.waits).toEqual([3_000]);
  });

  it('does not wait for a rate limit beyond the deadline, and returns the time to wait', async () => {
    fixture.upstream.script(SESSION_PATH, [fail(429, 'Rate limit exceeded', { 'Retry-After': '25.2' })]);
    const response = await fixture.post('/v1/session', {});
    expect(await expectRefusal(response, 'UPSTREAM_RATE_LIMITED')).toMatchObject({ retry_after_seconds: 26 });
    expect(response.headers.get('retry-after')).toBe('26');
    expect(fixture.clock.waits).toEqual([]);
  });

  it('calls a rate-limited platform at most four times', async () => {
    fixture.upstream.script(TOKEN_PATH, [fail(429, 'Rate limit exceeded', { 'Retry-After': '1' })]);
    await expectRefusal(await fixture.post('/v1/session', {}), 'UPSTREAM_RATE_LIMITED');
    expect(attempts(TOKEN_PATH)).toBe(4);
  });
});

describe('a platform that fails', () => {
  it('retries a failing platform after 1, 2 and 4 seconds', async () => {
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

  it('gives up a failing platform after the fourth attempt', async () => {
    fixture.upstream.script(TOKEN_PATH, [fail(503, 'down')]);
    const response = await fixture.post('/v1/session', {});
    await expectRefusal(response, 'UPSTREAM_UNAVAILABLE');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(attempts(TOKEN_PATH)).toBe(4);
  });

  it('shares one deadline between both platform calls', async () => {
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

  it('reports the platform as unavailable when nothing listens at its address', async () => {
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
  ])('reports an unreadable answer without a retry: %s', async (_, behaviour) => {
    fixture.upstream.script(TOKEN_PATH, [behaviour]);
    await expectRefusal(await fixture.post('/v1/session', {}), 'UPSTREAM_INVALID_RESPONSE');
    expect(fixture.upstream.seen).toHaveLength(1);
  });

  it.each<[string, Behaviour]>([
    ['an empty session', { status: 200, body: { session_id: '' } }],
    ['no JSON', { status: 200, raw: 'ok' }],
  ])('reports an unreadable answer when the session is %s', async (_, behaviour) => {
    fixture.upstream.script(SESSION_PATH, [behaviour]);
    await expectRefusal(await fixture.post('/v1/session', {}), 'UPSTREAM_INVALID_RESPONSE');
  });
});

describe('a platform that hangs', () => {
  it('aborts and retries an attempt that takes too long', async () => {
    // Long enough for the second attempt on a busy machine.
    const proxy = createTokenProxy({ ...fixture.options, attemptTimeoutMs: 2_000 });
    fixture.upstream.script(TOKEN_PATH, ['hang', { status: 200, body: { access_token: 'a.b.c' } }]);
    expect((await proxy(makePost('/v1/session', {}))).status).toBe(200);
    await fixture.upstream.dropped();
    expect(attempts(TOKEN_PATH)).toBe(2);
  });

  it('aborts a hanging call to the platform at the deadline', async () => {
    const proxy = createTokenProxy({ ...fixture.options, deadlineMs: 100 });
    fixture.upstream.script(TOKEN_PATH, ['hang']);
    await expectRefusal(await proxy(makePost('/v1/session', {})), 'UPSTREAM_UNAVAILABLE');
    await fixture.upstream.dropped();
    expect(fixture.logLines.at(-1)?.fields).toMatchObject({ reason: 'the deadline passed' });
  });

  it('aborts a hanging call when the caller disconnects', async () => {
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
  it('answers 500 for a failing hook without the reason, which is logged without secrets', async () => {
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

  it('answers although the log throws', async () => {
    const boom = (): never => {
      throw new Error('disk full');
    };
    const proxy = createTokenProxy({ ...fixture.options, log: { info: boom, warn: boom, error: boom } });
    expect((await proxy(makePost('/v1/session', {}))).status).toBe(200);
  });

  it('aborts an authorize hook that never returns at the deadline', async () => {
    const proxy = createTokenProxy({
      ...fixture.options,
      deadlineMs: 50,
      authorize: () => new Promise(() => {}),
    });
    expect((await proxy(makePost('/v1/session', {}))).status).toBe(503);
    expect(fixture.upstream.seen).toHaveLength(0);
  });
});
