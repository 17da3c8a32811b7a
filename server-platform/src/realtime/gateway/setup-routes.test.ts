import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import {
  startTestPlatform,
  type TestAnswer,
  type TestPlatform,
} from '../../../test/realtime/test-platform.ts';
import { createAccessTokens } from '../../accounts/tokens/access-tokens.ts';
import { DatabaseError } from '../../db/index.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const good = { 'X-Token': 'connector-token', 'X-Host': 'example.com', 'Content-Type': 'application/json' };

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform(EMBEDDED_ENGINE);
});
afterAll(() => platform.stop());

function expectRefusal(answer: TestAnswer, status: number, text: string, code: string): void {
  expect(answer.status).toBe(status);
  const correlationId = answer.headers.get('x-correlation-id');
  expect(answer.body).toEqual({
    success: false,
    message: text,
    error: text,
    error_message: text,
    error_code: code,
    error_id: correlationId,
    data: null,
  });
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
}

describe('POST /api/v1/access-token', () => {
  it('returns a token for the matched host', async () => {
    const answer = await platform.post('/api/v1/access-token', good, '{}');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      expires_in: 86_400,
      token_type: 'Bearer',
    });
    expect(await platform.tokens.verify(String(answer.body['access_token']))).toMatchObject({
      connectorId: platform.connector.id,
      host: 'example.com',
    });
  });

  it.each([
    ['no body', undefined, {}],
    ['white space as body', ' \n', {}],
    ['unknown fields', '{"a":1}', {}],
    ['another content type', '{}', { 'Content-Type': 'text/plain' }],
    ['a subdomain as host', '{}', { 'X-Host': 'https://www.example.com/' }],
    ['an origin that matches', '{}', { Origin: 'https://shop.example.com' }],
    ['an opaque origin', '{}', { Origin: 'null' }],
  ])('accepts %s', async (_name, body, headers) => {
    const answer = await platform.post('/api/v1/access-token', { ...good, ...headers }, body);
    expect(answer.status).toBe(200);
  });

  it('refuses a body nested more than 200 levels deep, even in an ignored field', async () => {
    const post = (depth: number): Promise<TestAnswer> =>
      platform.post('/api/v1/access-token', good, `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    expect((await post(199)).status).toBe(200);
    expectRefusal(await post(30_000), 400, 'Error parsing request', 'INVALID_REQUEST_BODY');
  });

  // Every case violates its own row and all later rows.
  it.each([
    [401, 'Missing authentication headers', 'MISSING_AUTH_HEADERS', { 'X-Host': 'evil.test' }, '['],
    [401, 'Missing authentication headers', 'MISSING_AUTH_HEADERS', { 'X-Token': ' ', 'X-Host': 'a.b' }, '['],
    [401, 'Missing authentication headers', 'MISSING_AUTH_HEADERS', { 'X-Token': 'nobody' }, '['],
    [
      400,
      'Error parsing request',
      'INVALID_REQUEST_BODY',
      { 'X-Token': 'nobody', 'X-Host': 'evil.test' },
      '[',
    ],
    [
      400,
      'Error parsing request',
      'INVALID_REQUEST_BODY',
      { 'X-Token': 'nobody', 'X-Host': 'evil.test' },
      '[]',
    ],
    [
      400,
      'Error parsing request',
      'INVALID_REQUEST_BODY',
      { 'X-Token': 'nobody', 'X-Host': 'evil.test' },
      'null',
    ],
    [
      401,
      'Connector token does not exist',
      'CONNECTOR_NOT_FOUND',
      { 'X-Token': 'nobody', 'X-Host': 'evil.test' },
      '{}',
    ],
    [
      401,
      'Failed to validate connector',
      'CONNECTOR_HOST_MISMATCH',
      { 'X-Token': 'connector-token', 'X-Host': 'evil.test' },
      '{}',
    ],
    [
      401,
      'Failed to validate connector',
      'CONNECTOR_HOST_MISMATCH',
      { ...good, Origin: 'https://evil.test' },
      '{}',
    ],
  ] as const)('refuses with %i "%s" (%s) for %o and body %s', async (status, text, code, headers, body) => {
    expectRefusal(await platform.post('/api/v1/access-token', headers, body), status, text, code);
  });
});

describe('POST /api/v1/sessions', () => {
  it('creates a session that starts with SESSION_START as sequence 1', async () => {
    const { sessionId } = await platform.startSession({
      streaming_enabled: true,
      platform: 'ios',
      device_type: 'tablet',
    });
    expect(sessionId).toMatch(UUID);
    const [start, ...rest] = await platform.log.readAfter(sessionId, 0, 10);
    expect(rest).toEqual([]);
    expect(start).toMatchObject({
      sequence: 1,
      type: 'EVENT_TYPE_SESSION_START',
      payload: {
        capabilities: {
          streaming: true,
          max_message_size_bytes: 131_072,
          max_reconnect_attempts: 5,
          heartbeat_interval_seconds: 30,
        },
      },
    });
    expect(start?.payload).not.toHaveProperty('context_id');
  });

  it.each([
    ['nothing', undefined],
    ['an empty object', '{}'],
    ['an unknown platform', '{"platform":"toaster"}'],
    ['an unknown device type', '{"device_type":"fridge"}'],
    ['unknown fields', '{"anything":[1]}'],
  ])('accepts %s', async (_name, body) => {
    const headers = { authorization: `bearer ${await platform.mintToken()}` };
    expect((await platform.post('/api/v1/sessions', headers, body)).status).toBe(200);
  });

  it.each([
    ['no header', {}, '[', 400, 'Missing access token', 'MISSING_ACCESS_TOKEN'],
    [
      'another scheme',
      { Authorization: 'Basic abc' },
      '[',
      401,
      'Missing authentication headers',
      'MISSING_AUTH_HEADERS',
    ],
    [
      'no token',
      { Authorization: 'Bearer' },
      '[',
      401,
      'Missing authentication headers',
      'MISSING_AUTH_HEADERS',
    ],
    [
      'a token that is none',
      { Authorization: 'Bearer x.y.z' },
      '[',
      401,
      'Invalid access token',
      'INVALID_ACCESS_TOKEN',
    ],
  ] as const)('refuses %s before it looks at the body', async (_name, headers, body, status, text, code) => {
    expectRefusal(await platform.post('/api/v1/sessions', headers, body), status, text, code);
  });

  it('refuses a token of a removed connector', async () => {
    const { token } = await platform.tokens.mint({ connectorId: 'gone', host: 'example.com' });
    const answer = await platform.post('/api/v1/sessions', { Authorization: `Bearer ${token}` }, '{}');
    expectRefusal(answer, 401, 'Invalid access token', 'INVALID_ACCESS_TOKEN');
  });

  it('refuses a token of another platform', async () => {
    const tokens = await createAccessTokens({
      secrets: [new Uint8Array(32)],
      issuer: 'natter',
      now: Date.now,
    });
    const { token } = await tokens.mint({ connectorId: platform.connector.id, host: 'example.com' });
    const answer = await platform.post('/api/v1/sessions', { Authorization: `Bearer ${token}` }, '{}');
    expectRefusal(answer, 401, 'Invalid access token', 'INVALID_ACCESS_TOKEN');
  });

  it.each([
    '[',
    '[]',
    '"x"',
    '{"platform":1}',
    '{"streaming_enabled":"yes"}',
    '{"device_type":{}}',
    '{"platform":null}',
  ])('refuses the body %s', async (body) => {
    const headers = { Authorization: `Bearer ${await platform.mintToken()}` };
    const answer = await platform.post('/api/v1/sessions', headers, body);
    expectRefusal(answer, 400, 'Error parsing request', 'INVALID_REQUEST_BODY');
  });
});

describe('every endpoint of the set-up', () => {
  it.each(['/api/v1/access-token', '/api/v1/sessions', '/api/v1/sessions/x/context'])(
    '%s answers a preflight',
    async (path) => {
      const answer = await fetch(`${platform.url}${path}`, {
        method: 'OPTIONS',
        headers: { Origin: 'https://a.test' },
      });
      expect(answer.status).toBe(204);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-allow-methods')).toBe('POST, OPTIONS');
      const allowed = answer.headers.get('access-control-allow-headers')?.split(', ') ?? [];
      expect(allowed.sort()).toEqual(
        [
          'Content-Type',
          'Accept',
          'Authorization',
          'X-Token',
          'X-Host',
          'X-Correlation-Id',
          'X-PolyAI-Correlation-Id',
        ].sort(),
      );
      expect(answer.headers.get('access-control-max-age')).toBe('600');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    },
  );

  it.each(['GET', 'PUT', 'DELETE'])('refuses %s with 405 and what is allowed', async (method) => {
    const answer = await fetch(`${platform.url}/api/v1/sessions`, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST, OPTIONS');
    expect(await answer.json()).toMatchObject({ success: false, error_code: 'METHOD_NOT_ALLOWED' });
  });

  it('refuses a body over 64 KB with 413, with or without a declared length', async () => {
    const body = `{"a":"${'x'.repeat(65_536)}"}`;
    const announced = await platform.post('/api/v1/access-token', good, body);
    expectRefusal(announced, 413, 'Request body is too large', 'PAYLOAD_TOO_LARGE');
    const unannounced: RequestInit & { readonly duplex: 'half' } = {
      method: 'POST',
      headers: good,
      body: new Blob([body]).stream(),
      duplex: 'half',
    };
    const streamed = await fetch(`${platform.url}/api/v1/access-token`, unannounced);
    expect(streamed.status).toBe(413);
    const full = `{"a":"${'x'.repeat(65_536 - 8)}"}`;
    expect((await platform.post('/api/v1/access-token', good, full)).status).toBe(200);
  });

  it('returns the correlation id for both spellings of the header', async () => {
    for (const name of ['X-Correlation-Id', 'X-PolyAI-Correlation-Id']) {
      const kept = await platform.post('/api/v1/access-token', { ...good, [name]: 'abc-1' }, '{}');
      expect(kept.headers.get('x-correlation-id')).toBe('abc-1');
      const replaced = await platform.post('/api/v1/access-token', { ...good, [name]: 'a b' }, '{}');
      expect(replaced.headers.get('x-correlation-id')).toMatch(UUID);
    }
    expect(
      (await platform.post('/api/v1/access-token', good, '{}')).headers.get('access-control-expose-headers'),
    ).toBe('Retry-After, X-Correlation-Id, X-PolyAI-Correlation-Id');
  });

  it('answers an unknown path with 404 in the same shape', async () => {
    expectRefusal(await platform.post('/api/v1/nowhere', {}, '{}'), 404, 'Resource not found', 'NOT_FOUND');
  });
});

describe('rate limits over HTTP', () => {
  it('refuse the token and the session above the limit and say when to come back', async () => {
    const strict = await startTestPlatform(EMBEDDED_ENGINE, {
      limits: { accessTokensPerMinute: 3, sessionsPerMinute: 1 },
    });
    try {
      const token = await strict.mintToken();
      await strict.mintToken();
      // A request refused for another reason does not count.
      await strict.post('/api/v1/access-token', { ...good, 'X-Host': 'evil.test' }, '{}');
      await strict.mintToken();
      const refused = await strict.post('/api/v1/access-token', good, '{}');
      expectRefusal(refused, 429, 'Rate limit exceeded', 'RATE_LIMITED');
      const wait = Number(refused.headers.get('retry-after'));
      expect(wait).toBeGreaterThanOrEqual(1);
      expect(wait).toBeLessThanOrEqual(60);
      strict.clock.skip(wait * 1000);
      expect((await strict.post('/api/v1/access-token', good, '{}')).status).toBe(200);

      const headers = { Authorization: `Bearer ${token}` };
      expect((await strict.post('/api/v1/sessions', headers, '{}')).status).toBe(200);
      expectRefusal(
        await strict.post('/api/v1/sessions', headers, '['),
        400,
        'Error parsing request',
        'INVALID_REQUEST_BODY',
      );
      expectRefusal(
        await strict.post('/api/v1/sessions', headers, '{}'),
        429,
        'Rate limit exceeded',
        'RATE_LIMITED',
      );
    } finally {
      await strict.stop();
    }
  });

  it("come with the contract's numbers", async () => {
    const { DEFAULT_MESSAGING_LIMITS } = await import('../messaging-limits.ts');
    expect(DEFAULT_MESSAGING_LIMITS).toMatchObject({
      accessTokensPerMinute: 30,
      sessionsPerMinute: 10,
      contextSubmissionsPerMinute: 10,
      frameBurst: 20,
      framesPerSecond: 5,
      heartbeatsPerSecond: 1,
      inactivityMs: 600_000,
      endedReplayMs: 600_000,
      maxSocketsPerSession: 10,
      tokenLifetimeSeconds: 86_400,
      pingIntervalMs: 30_000,
    });
  });
});

describe('too much waiting to be written', () => {
  it('refuses a session with 429 when too much waits to be written, under a correlation id that is logged', async () => {
    let queuedRows = 10_000;
    const busy = await startTestPlatform(EMBEDDED_ENGINE, {
      wrapLog: (log) => ({
        ...log,
        get queuedRows() {
          return queuedRows;
        },
      }),
    });
    try {
      const headers = { Authorization: `Bearer ${await busy.mintToken()}`, 'X-Correlation-Id': 'c-1' };
      const refused = await busy.post('/api/v1/sessions', headers, '{}');
      expectRefusal(refused, 429, 'Rate limit exceeded', 'RATE_LIMITED');
      expect(refused.headers.get('retry-after')).toBe('5');
      expect(busy.failures).toEqual([expect.stringMatching(/^create a session: DatabaseError: .*: c-1$/)]);
      queuedRows = 9_999;
      expect((await busy.post('/api/v1/sessions', headers, '{}')).status).toBe(200);
    } finally {
      await busy.stop();
    }
  });

  it.each([
    ['overloaded', 429, 'Rate limit exceeded', 'RATE_LIMITED', '5'],
    ['unavailable', 500, 'Failed to create access token', 'TOKEN_CREATION_FAILED', null],
  ] as const)('tells a database that is %s apart at the token', async (code, status, text, name, wait) => {
    const failing = await startTestPlatform(EMBEDDED_ENGINE, {
      findByToken: () => Promise.reject(new DatabaseError(code, 'not now')),
    });
    try {
      const answer = await failing.post('/api/v1/access-token', good, '{}');
      expectRefusal(answer, status, text, name);
      expect(answer.headers.get('retry-after')).toBe(wait);
    } finally {
      await failing.stop();
    }
  });
});

describe('a connector without a host', () => {
  it('refuses a connector without hosts by its own row', async () => {
    const bare = await startTestPlatform(EMBEDDED_ENGINE, { connector: { hosts: [] } });
    try {
      const answer = await bare.post('/api/v1/access-token', { ...good, 'X-Host': 'evil.test' }, '{}');
      expectRefusal(answer, 401, 'Connector missing host domain', 'CONNECTOR_HOST_MISSING');
    } finally {
      await bare.stop();
    }
  });
});

interface HostCase {
  readonly name: string;
  readonly registered: readonly { readonly kind: 'domain' | 'app'; readonly value: string }[];
  readonly x_host: string;
  readonly origin: string | null;
  readonly enforce_origin: boolean;
  readonly expect: boolean;
}
const hostVectors: { readonly origin: readonly HostCase[] } = JSON.parse(
  readFileSync(new URL('../../../../test/vectors/host-matching.json', import.meta.url), 'utf8'),
);

describe('hosts and origins over HTTP', () => {
  let changing: TestPlatform;
  const connector = { hosts: [] as HostCase['registered'], enforceOrigin: true };
  beforeAll(async () => {
    changing = await startTestPlatform(EMBEDDED_ENGINE, { connector });
  });
  afterAll(() => changing.stop());

  it.each(hostVectors.origin.map((each) => [each.name, each] as const))('vector: %s', async (_name, each) => {
    Object.assign(changing.connector, { hosts: each.registered, enforceOrigin: each.enforce_origin });
    const headers = {
      'X-Token': 'connector-token',
      'X-Host': each.x_host,
      ...(each.origin !== null && { Origin: each.origin }),
    };
    const { status } = await changing.post('/api/v1/access-token', headers, '{}');
    expect(status).toBe(each.expect ? 200 : 401);
  });
});

describe('calls about what is stored of visitors', () => {
  it('runs visitor data requests one at a time per visitor', async () => {
    let running = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
    };
    const busy = await startTestPlatform(EMBEDDED_ENGINE, {
      visitorData: () => ({
        async read() {
          await work();
          return (async function* () {
            await work();
            yield '{}';
          })();
        },
        erase: work,
        addContactRequest: async () => ({ status: 'unknown' }),
        offersContact: false,
      }),
    });
    try {
      const sessions = await Promise.all([1, 2, 3].map(() => busy.startSession()));
      const answers = await Promise.all(
        sessions.flatMap(({ sessionId, accessToken }) =>
          ['data', 'data', 'erase'].map((what) =>
            busy.post(
              `/api/v1/sessions/${sessionId}/${what}`,
              { Authorization: `Bearer ${accessToken}` },
              '{}',
            ),
          ),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([
        ...Array(6).fill(200),
        ...Array(3).fill(204),
      ]);
      expect(most).toBe(1);
    } finally {
      await busy.stop();
    }
  });
});
