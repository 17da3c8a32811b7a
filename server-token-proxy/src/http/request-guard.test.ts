import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProxyFixture, makePost, PAGE_ORIGIN, type ProxyFixture } from '../../test/proxy-fixture.ts';
import { createTokenProxy } from '../create-token-proxy.ts';
import { ERROR_CODES } from '../error-codes.ts';

let fixture: ProxyFixture;
beforeAll(async () => {
  fixture = await createProxyFixture();
});
afterAll(() => fixture.upstream.close());
let seenBefore = 0;
beforeEach(() => {
  seenBefore = fixture.upstream.seen.length;
});

const API_ROUTES = ['/v1/session', '/v1/resume', '/v1/logout'];
const codeOf = async (response: Response): Promise<unknown> => Object(await response.json()).code;
const upstreamCalls = (): number => fixture.upstream.seen.length - seenBefore;

describe('headers', () => {
  it.each([
    ['an answer', () => makePost('/v1/session', {})],
    ['a refusal', () => makePost('/v1/session', '{')],
    ['a refusal of the origin', () => makePost('/v1/session', {}, { Origin: 'https://evil.test' })],
    ['an unknown path', () => new Request('https://chat.kittiwake.example/x')],
  ])('keeps %s out of caches, frames and other sites', async (_, make) => {
    const response = await fixture.proxy(make());
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      vary: 'Origin',
      'x-correlation-id': expect.any(String),
      'content-type': 'application/json; charset=utf-8',
    });
    // Credentials are only allowed together with a single origin.
    expect(response.headers.get('access-control-allow-origin')).not.toBe('*');
  });

  it('reflects a listed origin in responses and refusals alike', async () => {
    for (const body of [{}, '{']) {
      const response = await fixture.post('/v1/session', body);
      expect(response.headers.get('access-control-allow-origin')).toBe(PAGE_ORIGIN);
      expect(response.headers.get('access-control-expose-headers')).toBe(
        'Date, Retry-After, X-Correlation-Id',
      );
    }
  });

  it('lets a page of another origin read the refusal, but not an opaque origin', async () => {
    const foreign = await fixture.post('/v1/session', {}, { Origin: 'https://evil.test' });
    expect(foreign.status).toBe(403);
    expect(foreign.headers.get('access-control-allow-origin')).toBe('https://evil.test');
    expect(await foreign.json()).toMatchObject({ code: 'ORIGIN_NOT_ALLOWED' });
    const opaque = await fixture.post('/v1/session', {}, { Origin: 'null' });
    expect(opaque.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('preflight', () => {
  const preflight = (path: string, origin: string): Promise<Response> =>
    fixture.proxy(
      new Request(`https://chat.kittiwake.example${path}`, {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
      }),
    );

  it.each(API_ROUTES)('lets a listed page post JSON to %s', async (path) => {
    const response = await preflight(path, PAGE_ORIGIN);
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': PAGE_ORIGIN,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers':
        'Content-Type, X-Correlation-Id, X-PolyAI-Correlation-Id, traceparent, tracestate',
      'access-control-max-age': '600',
      vary: 'Origin',
    });
  });

  it('accepts the preflight of an unlisted page, whose request is then refused with a readable error', async () => {
    const response = await preflight('/v1/session', 'https://evil.test');
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://evil.test');
  });

  it('refuses the preflight of an opaque origin', async () => {
    const response = await preflight('/v1/session', 'null');
    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('allows the extra headers that an authorize hook needs', async () => {
    const proxy = createTokenProxy({ ...fixture.options, allowedHeaders: ['X-CSRF-Token'] });
    const response = await proxy(
      new Request('https://chat.kittiwake.example/v1/session', {
        method: 'OPTIONS',
        headers: { Origin: PAGE_ORIGIN },
      }),
    );
    expect(response.headers.get('access-control-allow-headers')).toMatch(/, X-CSRF-Token$/);
  });
});

describe('who may ask', () => {
  it.each(API_ROUTES)('refuses an unlisted, a missing and an opaque origin at %s', async (path) => {
    for (const headers of [
      { Origin: 'https://evil.test' },
      { Origin: '', 'Sec-Fetch-Site': '' },
      { Origin: 'null' },
    ]) {
      const response = await fixture.post(path, {}, headers);
      expect(response.status).toBe(403);
      expect(await codeOf(response)).toBe('ORIGIN_NOT_ALLOWED');
    }
    expect(upstreamCalls()).toBe(0);
  });

  it('serves callers without an origin when told to, but not browsers that hide theirs', async () => {
    const proxy = createTokenProxy({ ...fixture.options, allowRequestsWithoutOrigin: true });
    const app = await proxy(makePost('/v1/session', {}, { Origin: '', 'Sec-Fetch-Site': '' }));
    expect(app.status).toBe(200);
    expect(app.headers.get('access-control-allow-origin')).toBeNull();
    expect((await proxy(makePost('/v1/session', {}, { Origin: '' }))).status).toBe(403);
    expect((await proxy(makePost('/v1/session', {}, { Origin: 'https://evil.test' }))).status).toBe(403);
  });

  it('calls the authorize hook last, with all arguments, on both routes', async () => {
    const asked: unknown[] = [];
    const proxy = createTokenProxy({
      ...fixture.options,
      authorize: async (request, { route, connector, origin }) => {
        asked.push({ route, connector, origin, cookie: request.headers.get('cookie') });
        return request.headers.get('cookie') === 'login=ada';
      },
    });
    expect((await proxy(makePost('/v1/session', { unknown: 1 }, { Cookie: 'login=ada' }))).status).toBe(400);
    expect(asked).toEqual([]);
    const started = await proxy(makePost('/v1/session', {}, { Cookie: 'login=ada' }));
    const { resume_ticket } = Object(await started.json());
    const refused = await proxy(makePost('/v1/resume', { resume_ticket }, { Cookie: 'login=bob' }));
    expect(refused.status).toBe(403);
    expect(asked).toEqual([
      { route: 'session', connector: 'default', origin: PAGE_ORIGIN, cookie: 'login=ada' },
      { route: 'resume', connector: 'default', origin: PAGE_ORIGIN, cookie: 'login=bob' },
    ]);
  });

  it('leaves callers without an origin to the authorize hook, and accepts only true as consent', async () => {
    for (const [verdict, status] of [
      [true, 200],
      [false, 403],
    ] as const) {
      const proxy = createTokenProxy({ ...fixture.options, authorize: () => verdict });
      expect((await proxy(makePost('/v1/session', {}, { Origin: '', 'Sec-Fetch-Site': '' }))).status).toBe(
        status,
      );
    }
  });
});

describe('what may be sent', () => {
  it.each([
    ['', 415],
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/jsonp', 415],
    ['text/plain; application/json', 415],
    ['application/json; charset=utf-16', 415],
    ['application/json', 200],
    ['Application/JSON; charset=UTF-8', 200],
  ])('answers a body of type %j with %i', async (type, status) => {
    const request = makePost('/v1/session', {}, { 'Content-Type': type });
    if (type === '') request.headers.delete('content-type');
    expect((await fixture.proxy(request)).status).toBe(status);
  });

  it('refuses a compressed body', async () => {
    const response = await fixture.post('/v1/session', {}, { 'Content-Encoding': 'gzip' });
    expect(await codeOf(response)).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  it('accepts a body of exactly 4096 bytes', async () => {
    const body = (size: number): string => `{}${' '.repeat(size - 2)}`;
    expect((await fixture.post('/v1/session', body(4_096))).status).toBe(200);
    const response = await fixture.post('/v1/session', body(4_097));
    expect(response.status).toBe(413);
    expect(await codeOf(response)).toBe('PAYLOAD_TOO_LARGE');
  });

  it('stops reading a body of unknown length soon after the limit', async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1_024;
        controller.enqueue(new Uint8Array(1_024).fill(32));
      },
    });
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body: endless, duplex: 'half' };
    const headers = { Origin: PAGE_ORIGIN, 'Content-Type': 'application/json' };
    const response = await fixture.proxy(
      new Request('https://chat.kittiwake.example/v1/session', { ...init, headers }),
    );
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(16_384);
  });

  it('answers a body that misses the deadline with 408', async () => {
    const proxy = createTokenProxy({ ...fixture.options, deadlineMs: 50 });
    for (const path of API_ROUTES) {
      const stalled = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) });
      const init: RequestInit & { duplex: 'half' } = { method: 'POST', body: stalled, duplex: 'half' };
      const headers = { Origin: PAGE_ORIGIN, 'Content-Type': 'application/json' };
      const response = await proxy(
        new Request(`https://chat.kittiwake.example${path}`, { ...init, headers }),
      );
      expect([path, response.status]).toEqual([path, 408]);
      expect(response.headers.get('connection')).toBe('close');
      expect(await response.json()).toMatchObject({
        code: 'REQUEST_TIMEOUT',
        message: 'The body did not arrive in time. Send the request again.',
        retryable: true,
      });
    }
  });

  it.each([
    [{ platform: 'web', colour: 'red' }, 'Unknown field "colour"'],
    [{ access_token: 'x' }, 'Unknown field "access_token"'],
    [JSON.parse('{"__proto__":{"streaming":false}}'), 'Unknown field "__proto__"'],
    [{ toString: 1 }, 'Unknown field "toString"'],
    [{ platform: 'desktop' }, '"platform" must be one of web, ios'],
    [{ device_type: null }, '"device_type" must be one of mobile'],
    [{ streaming: 'yes' }, '"streaming" must be true or false'],
    [{ connector: '' }, '"connector" must be a name'],
    [[], 'must be a JSON object'],
    [null, 'must be a JSON object'],
    ['"text"', 'must be a JSON object'],
    ['', 'not valid JSON'],
    ['{"platform":', 'not valid JSON'],
  ])('names what is wrong with %j', async (body, text) => {
    const response = await fixture.post('/v1/session', body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(text),
    });
    expect(upstreamCalls()).toBe(0);
  });

  it.each([
    [{ resume_ticket: '' }, '"resume_ticket" must be'],
    [{ resume_ticket: 5 }, '"resume_ticket" must be'],
    [{ resume_ticket: 'x', platform: 'web' }, 'Unknown field "platform"'],
  ])('names what is wrong with the resume of %j', async (body, text) => {
    const response = await fixture.post('/v1/resume', body);
    expect(await response.json()).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(text),
    });
  });

  it('answers any JSON with a session or a refusal in the agreed shape', async () => {
    const fieldNames = fc.constantFrom(
      'connector',
      'platform',
      'device_type',
      'streaming',
      'resume_ticket',
      '__proto__',
    );
    const body = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.oneof(fieldNames, fc.string()), fc.jsonValue()),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...API_ROUTES), body, async (path, value) => {
        const text = typeof value === 'string' ? value : JSON.stringify(value);
        const response = await fixture.post(path, text);
        const answer: Record<string, unknown> = Object(await response.json());
        if (response.status === 200) {
          const session = [
            'access_token',
            'expires_at',
            'expires_in_seconds',
            'offers',
            'resume_by',
            'resume_ticket',
            'session_id',
            'websocket_url',
          ];
          expect(Object.keys(answer).sort()).toEqual(path === '/v1/logout' ? ['status'] : session);
          return;
        }
        expect(['INVALID_REQUEST', 'PAYLOAD_TOO_LARGE', 'RESUME_TICKET_INVALID']).toContain(answer['code']);
        const fact = Object.entries(ERROR_CODES).find(([code]) => code === answer['code'])?.[1];
        expect([response.status, answer['retryable']]).toEqual([fact?.status, fact?.retryable]);
      }),
      { numRuns: 200 },
    );
  });

  it('refuses every unknown field, whatever its name', async () => {
    const known = new Set(['connector', 'platform', 'device_type', 'streaming']);
    const field = fc.string({ minLength: 1, maxLength: 30 }).filter((name) => !known.has(name));
    await fc.assert(
      fc.asyncProperty(field, async (name) => {
        const body = `{${JSON.stringify(name)}:true}`;
        const response = await fixture.post('/v1/session', body);
        expect(await response.json()).toMatchObject({
          code: 'INVALID_REQUEST',
          message: expect.stringContaining(JSON.stringify(name)),
        });
      }),
      { numRuns: 100 },
    );
  });
});

describe('paths and methods', () => {
  it.each([
    ['GET', '/v1/session', 'POST, OPTIONS'],
    ['PUT', '/v1/resume', 'POST, OPTIONS'],
    ['POST', '/v1/health', 'GET, HEAD, OPTIONS'],
  ])('answers %s %s with the methods there are', async (method, path, allow) => {
    const response = await fixture.proxy(new Request(`https://chat.kittiwake.example${path}`, { method }));
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allow);
    expect(await codeOf(response)).toBe('METHOD_NOT_ALLOWED');
  });

  it('hides wrong methods and unknown paths from unlisted pages', async () => {
    const headers = { Origin: 'https://evil.test' };
    for (const [method, path, status] of [
      ['GET', '/v1/session', 405],
      ['DELETE', '/v1/session', 405],
      ['PROPFIND', '/v1/upload', 405],
      ['POST', '/v1/none', 404],
    ] as const) {
      const response = await fixture.proxy(
        new Request(`https://chat.kittiwake.example${path}`, { method, headers }),
      );
      expect([method, path, response.status]).toEqual([method, path, status]);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('accepts HEAD for health and files only', async () => {
    const head = async (path: string): Promise<number> => {
      const request = new Request(`https://chat.kittiwake.example${path}`, { method: 'HEAD' });
      const response = await createTokenProxy({
        ...fixture.options,
        readEmbedFile: async () => new Uint8Array(8),
      })(request);
      expect(response.body).toBeNull();
      return response.status;
    };
    expect([await head('/v1/health'), await head('/natter.js')]).toEqual([200, 200]);
    expect([await head('/v1/upload'), await head('/v1/search'), await head('/v1/ws')]).toEqual([
      405, 405, 405,
    ]);
  });

  it('answers below its mount point only, with exact paths', async () => {
    const proxy = createTokenProxy({ ...fixture.options, basePath: '/api/chat' });
    const statusOf = async (path: string): Promise<number> =>
      (await proxy(new Request(`https://chat.kittiwake.example${path}`))).status;
    expect(await statusOf('/api/chat/v1/health')).toBe(200);
    for (const path of ['/v1/health', '/api/chatv1/health', '/api/chat', '/api/chat/api/chat/v1/health'])
      expect([path, await statusOf(path)]).toEqual([path, 404]);
    for (const path of ['/v1/%68ealth', '/V1/health', '/v1//health', '/v1/health/', '/v1/health;a'])
      expect([path, await statusOf(`/api/chat${path}`)]).toEqual([path, 404]);
  });

  it('sends its own error when a hook throws something other than an Error', async () => {
    const proxy = createTokenProxy({
      ...fixture.options,
      authorize: () => {
        throw 'no';
      },
      readEmbedFile: () => {
        throw null;
      },
    });
    for (const request of [
      makePost('/v1/session', {}),
      new Request('https://chat.kittiwake.example/natter.js'),
    ]) {
      const response = await proxy(request);
      expect([response.status, await codeOf(response)]).toEqual([500, 'INTERNAL']);
    }
  });

  it.each(['/', '/v1', '/v1/session/', '/v1/sessions', '/natter.js', '/constructor', '/__proto__'])(
    'finds no route at %s',
    async (path) => {
      const response = await fixture.proxy(new Request(`https://chat.kittiwake.example${path}`));
      expect(response.status).toBe(404);
      expect(await codeOf(response)).toBe('NOT_FOUND');
    },
  );
});
