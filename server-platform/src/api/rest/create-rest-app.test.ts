import {
  alertRuleCreateBodySchema,
  alertRuleCreateOperation,
  alertRulesListOperation,
  alertRulesQuerySchema,
  chatCreateBodySchema,
  chatCreateOperation,
  concurrencyGetOperation,
  concurrencyQuerySchema,
  conversationsListOperations,
  conversationsQuerySchema,
  generateAudioBodySchema,
  generateAudioOperation,
  reserveNumberBodySchema,
  reserveNumberOperation,
} from '@natter/sdk';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RestFixture, startRestFixture } from '../../../test/api/rest/rest-fixture.ts';
import { addAccount, addProject } from '../../accounts/index.ts';
import { RestError } from './rest-error.ts';
import { accountRoute, connectorRoute, projectRoute, type RestRoute } from './rest-route.ts';

const LIST = 'GET /v3/acme/shop/conversations';
const CHAT = 'POST /v1/acme/shop/chat/create';

/** Routes of several resources that echo their input. */
const ROUTES: readonly RestRoute[] = [
  projectRoute(
    {
      operation: conversationsListOperations.v3,
      permissions: ['conversations'],
      projectFrom: 'path',
      query: conversationsQuerySchema('v3'),
    },
    async ({ account, project, query }) => ({ account: account.id, project: project.id, query }),
  ),
  projectRoute(
    {
      operation: conversationsListOperations.v1,
      permissions: ['conversations'],
      projectFrom: 'path',
      isLegacy: true,
    },
    async () => ({}),
  ),
  projectRoute(
    {
      operation: concurrencyGetOperation,
      permissions: ['conversations', 'analytics'],
      projectFrom: 'path',
      query: concurrencyQuerySchema,
    },
    async ({ query }) => query,
  ),
  connectorRoute(
    { operation: chatCreateOperation, permissions: ['chat'], body: chatCreateBodySchema },
    async ({ body, connector, hasVendorNames }) => {
      if (body.variant_id === 'teapot') throw new RestError(404, 'VARIANT_NOT_FOUND', 'No teapot.');
      if (body.variant_id === 'bug') throw new Error('the secret inside');
      return { body, connector: connector.name, hasVendorNames };
    },
  ),
  projectRoute(
    {
      operation: reserveNumberOperation,
      permissions: ['dni'],
      projectFrom: 'key',
      body: reserveNumberBodySchema,
    },
    async ({ project }) => ({ project: project.slug }),
  ),
  projectRoute(
    {
      operation: generateAudioOperation,
      permissions: ['monitoring'],
      projectFrom: 'agent',
      body: generateAudioBodySchema,
    },
    async ({ project }) => ({ project: project.slug }),
  ),
  accountRoute(
    { operation: alertRulesListOperation, permissions: ['monitoring'], query: alertRulesQuerySchema },
    async ({ account }) => ({ account: account.slug }),
  ),
  accountRoute(
    {
      operation: alertRuleCreateOperation,
      permissions: ['monitoring'],
      body: alertRuleCreateBodySchema,
    },
    async ({ body }) => body,
  ),
];

describe('a mounted family', () => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await startRestFixture({ routes: ROUTES, isChecked: false });
  });
  afterAll(() => rest.stop());

  const chat = (key?: string, body?: object, headers: Readonly<Record<string, string>> = {}) =>
    rest.call(CHAT, {
      ...(key === undefined ? {} : { key }),
      headers: { 'x-token': rest.connectorToken, ...headers },
      ...(body === undefined ? {} : { body }),
    });

  describe('keys', () => {
    it.each([
      ['no key', undefined],
      ['an empty key', ''],
      ['an unknown key', 'nak_unknown'],
    ])('answers a call with %s with 401 (1.5)', async (_, key) => {
      const { status, body } = await rest.call(LIST, {
        headers: key === undefined ? {} : { 'x-api-key': key },
      });
      expect(status).toBe(401);
      expect(body).toMatchObject({
        error: 'Missing or invalid API key',
        error_code: 'AUTH_INVALID_API_KEY',
      });
    });

    it('refuses a key of the other service with 401, both ways (C-1)', async () => {
      expect((await rest.call(LIST, { key: rest.keys.monitoring })).status).toBe(401);
      expect((await rest.call('GET /v1/alert-rules', { key: rest.keys.runtime })).status).toBe(401);
    });

    it('refuses an expired key with 401, from the millisecond on (1.5)', async () => {
      const expiresAtMs = rest.clock.now() + 60_000;
      const key = await rest.addKey({ permissions: ['conversations'], expiresAtMs });
      expect((await rest.call(LIST, { key })).status).toBe(200);
      rest.clock.skip(60_000);
      expect((await rest.call(LIST, { key })).status).toBe(401);
    });

    it('refuses a key without the permission with 403 (1.5, CV-14)', async () => {
      const key = await rest.addKey({ permissions: ['analytics'] });
      const { status, body } = await rest.call(LIST, { key });
      expect(status).toBe(403);
      expect(body).toMatchObject({
        error: 'API key is not authorized for this resource',
        error_code: 'USER_ACCESS_FORBIDDEN',
      });
    });

    it('names ignored query parameters in a header (C-8)', async () => {
      const ignoredOf = async (query: string, key: string = rest.keys.runtime): Promise<unknown> => {
        const { status, headers } = await rest.call(`${LIST}?${query}`, { key });
        return [status, headers.get('x-natter-ignored-parameters')];
      };
      expect(await ignoredOf('limit=5&channel=a&channel=b')).toEqual([200, null]);
      expect(await ignoredOf('chanel=webchat&limit=5&chanel=a&__proto__=b')).toEqual([
        200,
        'chanel, __proto__',
      ]);
      // Reported even if the request is refused otherwise, because the misspelt parameter may be the cause.
      expect(await ignoredOf('limt=5&limit=x')).toEqual([400, 'limt']);
      // Contains nothing that ends a header or controls a terminal.
      expect(await ignoredOf('a%0d%0aSet-Cookie:x=1&%1b[31m=1&%F0%9F%9A%A6=1')).toEqual([
        200,
        'a%0D%0ASet-Cookie%3Ax, %1B%5B31m, %F0%9F%9A%A6',
      ]);
      expect(await ignoredOf(`${'x'.repeat(5_000)}=1`)).toEqual([200, `${'x'.repeat(64)}...`]);
      const many = Array.from({ length: 500 }, (_, n) => `n${n}=1`).join('&');
      expect(await ignoredOf(many)).toEqual([200, 'n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, ...']);
    });

    it('requires every permission that a family names (1.5)', async () => {
      const path = 'GET /v1/acme/shop/conversations/concurrency?start_time=2026-03-02&end_time=2026-03-03';
      const key = await rest.addKey({ permissions: ['conversations'] });
      expect((await rest.call(path, { key })).status).toBe(403);
      expect((await rest.call(path, { key: rest.keys.runtime })).status).toBe(200);
    });

    it('reveals nothing about resources outside its scope to a narrow key (1.5)', async () => {
      const other = await addAccount(rest.database, { slug: 'other' });
      await addProject(rest.database, other, { slug: 'theirs' });
      await addProject(rest.database, rest.account, { slug: 'second' });
      const of = async (key: string, path: string): Promise<number> =>
        (await rest.call(`GET /v3/${path}/conversations`, { key })).status;
      for (const path of ['other/theirs', 'nobody/shop', 'acme/second', 'acme/nothing', 'a%20b/shop'])
        expect(await of(rest.keys.runtime, path), path).toBe(403);
      expect(await of(rest.keys.everyProject, 'other/theirs')).toBe(403);
      expect(await of(rest.keys.everyProject, 'nobody/shop')).toBe(403);
    });

    it('answers 404 to an unrestricted key for a missing resource (1.5, C-5)', async () => {
      const of = async (key: string, path: string): Promise<unknown> => {
        const { status, body } = await rest.call(`GET /v3/${path}/conversations`, { key });
        return [status, body['error_code'], body['error']];
      };
      const noProject = [404, 'PROJECT_NOT_FOUND', 'Project ID does not exist.'];
      expect(await of(rest.keys.everyProject, 'acme/nothing')).toEqual(noProject);
      expect(await of(rest.keys.everyProject, 'acme/PROJECT-nothing')).toEqual(noProject);
      expect(await of(rest.keys.everyProject, 'acme/-a')).toEqual(noProject);
      const noAccount = [404, 'ACCOUNT_NOT_FOUND', 'Account ID does not exist.'];
      expect(await of(rest.keys.everyAccount, 'nobody/shop')).toEqual(noAccount);
      expect(await of(rest.keys.everyAccount, 'a%20b/shop')).toEqual(noAccount);
    });

    it('requires a legacy key for the legacy model, and nowhere else (1.5)', async () => {
      const v1 = 'GET /v1/acme/shop/conversations';
      expect((await rest.call(v1, { key: rest.keys.legacy })).status).toBe(200);
      expect((await rest.call(v1, { key: rest.keys.runtime })).status).toBe(403);
      expect((await rest.call(LIST, { key: rest.keys.legacy })).status).toBe(403);
    });

    it('requires a token of a connector of the project if it has one (1.5)', async () => {
      const second = await addProject(rest.database, rest.account, { slug: 'third' });
      for (const token of ['', 'nct_unknown', rest.keys.runtime]) {
        const { status, body } = await chat(rest.keys.runtime, {}, { 'x-token': token });
        expect([status, body['error_code'], body['error']]).toEqual([
          401,
          'AUTH_INVALID_CONNECTOR_TOKEN',
          'Missing or invalid connector token',
        ]);
      }
      const elsewhere = await rest.call(`POST /v1/acme/${second.slug}/chat/create`, {
        key: rest.keys.everyProject,
        headers: { 'x-token': rest.connectorToken },
      });
      expect(elsewhere.body['error_code']).toBe('AUTH_INVALID_CONNECTOR_TOKEN');
      expect((await chat(rest.keys.runtime, {})).body['connector']).toBe('web');
    });

    it('compares header names without case (C-6)', async () => {
      const headers = { 'X-API-KEY': rest.keys.runtime, 'X-TOKEN': rest.connectorToken };
      expect((await rest.call(CHAT, { headers })).status).toBe(200);
    });

    it('takes account and virtual agent from the key where no path names them (1.5)', async () => {
      const attributes = { body: { attributes: {} } };
      const reserve = 'POST /v1/conversations/dni-reservation';
      expect((await rest.call(reserve, { key: rest.keys.dni, ...attributes })).body['project']).toBe('shop');
      const { body } = await rest.call('GET /v1/alert-rules', { key: rest.keys.monitoring });
      expect(body['account']).toBe('acme');
    });

    it('finds the virtual agent of a path within the account of the key (1.5)', async () => {
      const preview = (agent: string, key: string) =>
        rest.call(`POST /v1/agents/${agent}/generate-audio`, {
          key,
          body: { text: 'hi', language: 'en', config: {} },
        });
      expect((await preview('shop', rest.keys.monitoring)).body['project']).toBe('shop');
      expect((await preview(rest.project.id, rest.keys.monitoring)).status).toBe(200);
      expect((await preview('theirs', rest.keys.monitoring)).status).toBe(404);
      const { project } = rest;
      const narrow = await rest.addKey({ permissions: ['monitoring'], project });
      expect((await preview('second', narrow)).status).toBe(403);
    });
  });

  describe('paths', () => {
    it('accepts every form of an account and a project, and answers with the prefixed one (C-4)', async () => {
      const { account, project, keys } = rest;
      const forms = ['acme', account.id, account.id.replace('ACCOUNT-', 'ws-')];
      for (const form of forms) {
        for (const reference of ['shop', project.id]) {
          const { body } = await rest.call(`GET /v3/${form}/${reference}/conversations`, {
            key: keys.runtime,
          });
          expect(body).toMatchObject({ account: account.id, project: project.id });
        }
      }
    });

    it.each([
      'GET /v3/acme/shop/nothing',
      'GET /v4/acme/shop/conversations',
      'POST /v4/acme/shop/chat/create',
    ])('answers %s with 404, key or not (C-13)', async (path) => {
      const { status, body, headers } = await rest.call(path);
      expect(status).toBe(404);
      expect(body).toMatchObject({ success: false, error_code: 'NOT_FOUND', error: 'Resource not found' });
      expect(headers.get('x-correlation-id')).toBe(body['error_id']);
    });

    it('answers a wrong method with 405 and the allowed ones, with or without a key (C-13)', async () => {
      const refused = await rest.call(LIST.replace('GET', 'DELETE'));
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      expect(refused.body).toMatchObject({ error_code: 'METHOD_NOT_ALLOWED', error: 'Method not allowed' });
      const rules = await rest.call('PUT /v1/alert-rules');
      expect(rules.headers.get('allow')).toBe('GET, HEAD, POST');
      expect(rules.body['errors']).toEqual([]);
    });
  });

  describe('requests', () => {
    it('accepts bodies up to 1 MiB and refuses larger ones with 413 (C-7)', async () => {
      const bytes = (size: number): string => `{"x":"${'a'.repeat(size - 8)}"}`;
      const send = (body: string) =>
        rest.call(CHAT, { key: rest.keys.runtime, headers: { 'x-token': rest.connectorToken }, body });
      expect((await send(bytes(1_048_576))).status).toBe(200);
      const { status, body } = await send(bytes(1_048_577));
      expect([status, body['error_code'], body['error']]).toEqual([
        413,
        'PAYLOAD_TOO_LARGE',
        'Request body is too large',
      ]);
    });

    it('accepts bodies with 20,000 fields and refuses those with more with 400 (C-7)', async () => {
      const body = (fields: number) => `{${Array.from({ length: fields }, (_, n) => `"f${n}":1`).join()}}`;
      const send = (fields: number) =>
        rest.call(CHAT, {
          key: rest.keys.runtime,
          headers: { 'x-token': rest.connectorToken },
          body: body(fields),
        });
      expect((await send(20_000)).status).toBe(200);
      const { status, body: refusal } = await send(20_001);
      expect([status, refusal['error']]).toEqual([400, 'Request body has more than 20000 fields']);
    });

    it.each(['[]', '"text"', '7', 'null', '{', '{"a":1', '\u{fffd}x'])(
      'refuses the body %j, which is not a JSON object (C-7)',
      async (text) => {
        const { status, body } = await rest.call(CHAT, {
          key: rest.keys.runtime,
          headers: { 'x-token': rest.connectorToken },
          body: text,
        });
        expect([status, body['error']]).toEqual([400, 'Request body must be a JSON object']);
      },
    );

    it('advises a string for a number that would lose digits only where the field takes one (C-7)', async () => {
      const refuse = async (target: string, key: string, body: string): Promise<unknown> => {
        const headers = { 'x-token': rest.connectorToken };
        const { body: refusal } = await rest.call(target, { key, headers, body });
        return refusal['errors'] ?? refusal['error'];
      };
      const rule = { name: 'n', metric: 'api_errors', operator: '>', window_duration: '5m' };
      const sent = JSON.stringify({ ...rule, threshold_value: 1 }).replace(':1}', ':9007199254740993}');
      expect(await refuse('POST /v1/alert-rules', rest.keys.monitoring, sent)).toEqual([
        { field: 'threshold_value', message: 'must be a non-negative integer' },
      ]);
      expect(
        await refuse(CHAT, rest.keys.runtime, '{"integration_attributes":{"id":9007199254740993}}'),
      ).toBe('integration_attributes.id is a number that cannot be stored exactly: send it as a string');
    });

    it('reads a missing body as an empty object only where it is optional (C-7)', async () => {
      expect((await chat(rest.keys.runtime)).body['body']).toEqual({});
      const { body } = await rest.call('POST /v1/conversations/dni-reservation', { key: rest.keys.dni });
      expect(body).toMatchObject({ success: false, error: 'Bad Request' });
    });

    it('ignores unknown fields and parameters, but not in the monitoring families (C-8)', async () => {
      expect((await chat(rest.keys.runtime, { colour: 'red' })).body['body']).toEqual({});
      expect((await rest.call(`${LIST}?colour=red`, { key: rest.keys.runtime })).status).toBe(200);
      const { status, body } = await rest.call('POST /v1/alert-rules', {
        key: rest.keys.monitoring,
        body: { colour: 'red' },
      });
      expect(status).toBe(400);
      expect(body['errors']).toContainEqual({ field: 'colour', message: 'unknown field' });
    });

    it.each([
      ['limit=5&limit=6', 'limit must be given once', 'C-9'],
      ['in_progress=yes', 'in_progress must be a boolean', 'C-10'],
      ['limit=1e3', 'limit must be an integer between 1 and 5000', 'C-10'],
      ['limit=0', 'limit must be an integer between 1 and 5000', 'C-10'],
      ['limit=5001', 'limit must be an integer between 1 and 5000', 'C-10'],
      ['start_time=yesterday', 'start_time must be an ISO 8601 time', 'C-11'],
    ])('refuses %s with 400, "%s" (%s)', async (query, text) => {
      const { status, body } = await rest.call(`${LIST}?${query}`, { key: rest.keys.runtime });
      expect([status, body['error_code'], body['error']]).toEqual([400, 'SCHEMA_VALIDATION_FAILED', text]);
    });

    it.each([
      ['channel=chat&channel=sms', { channel: ['CHAT', 'SMS'] }, 'C-9'],
      ['in_progress=TRUE', { in_progress: true }, 'C-10'],
      ['start_time=2026-03-02', { start_time: Date.UTC(2026, 2, 2) }, 'C-11'],
      ['start_time=2026-03-02T09:15:00', { start_time: Date.UTC(2026, 2, 2, 9, 15) }, 'C-11'],
    ])('reads %s as %j (%s)', async (query, expected, _rule) => {
      const { body } = await rest.call(`${LIST}?${query}`, { key: rest.keys.runtime });
      expect(body['query']).toMatchObject(expected);
    });

    it('checks the key before query and body (1.5)', async () => {
      expect((await rest.call(`${LIST}?limit=0`)).status).toBe(401);
      expect((await rest.call('POST /v1/alert-rules', { body: '[' })).status).toBe(401);
    });
  });

  describe('answers', () => {
    it('answers in JSON and UTF-8 with the correlation id (C-12)', async () => {
      const { headers } = await rest.call(LIST, {
        key: rest.keys.runtime,
        headers: { 'x-polyai-correlation-id': 'call-7' },
      });
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('x-correlation-id')).toBe('call-7');
      expect(headers.has('x-polyai-correlation-id')).toBe(false);
    });

    it('refuses in shape E (1.4)', async () => {
      const { status, body } = await chat(
        rest.keys.runtime,
        { variant_id: 'teapot' },
        { 'x-correlation-id': 'c' },
      );
      expect(status).toBe(404);
      expect(body).toEqual({
        success: false,
        error: 'No teapot.',
        error_message: 'No teapot.',
        error_id: 'c',
        error_code: 'VARIANT_NOT_FOUND',
        data: null,
      });
    });

    it('refuses in shape D for number reservation (1.4)', async () => {
      const { status, body } = await rest.call('POST /v1/conversations/dni-reservation', {
        key: rest.keys.dni,
        headers: { 'x-correlation-id': 'c' },
        body: {},
      });
      expect(status).toBe(400);
      expect(body).toEqual({
        success: false,
        error: 'Bad Request',
        message: 'attributes is required',
        error_id: 'c',
      });
    });

    it('refuses in shape M for the monitoring families (1.4)', async () => {
      const { body } = await rest.call('POST /v1/alert-rules', {
        key: rest.keys.monitoring,
        headers: { 'x-correlation-id': 'c' },
        body: { name: '', metric: 'api_errors', operator: '>', threshold_value: 1, window_duration: '5m' },
      });
      const text = 'Validation failed';
      expect(body).toEqual({
        success: false,
        message: text,
        error: text,
        error_message: text,
        error_id: 'c',
        error_code: 'SCHEMA_VALIDATION_FAILED',
        data: null,
        errors: [{ field: 'name', message: 'must be a string of 1 to 255 characters' }],
      });
      const { body: unknown } = await rest.call('GET /v1/alert-rules', { key: 'nak_unknown' });
      expect(unknown).toMatchObject({ message: 'Missing or invalid API key', errors: [] });
    });

    it("refuses a body in an unknown encoding with 415 in its family's shape (1.4, C-7)", async () => {
      const refusalOf = async (target: string, key: string) => {
        const headers = { 'content-encoding': 'zstd', 'x-token': rest.connectorToken };
        const { status, body } = await rest.call(target, { key, headers, body: {} });
        return { status, ...body };
      };
      const message = expect.stringContaining('unknown Content-Encoding');
      expect(await refusalOf(CHAT, rest.keys.runtime)).toMatchObject({
        status: 415,
        error_code: 'UNSUPPORTED_MEDIA_TYPE',
        error_message: message,
      });
      expect(await refusalOf('POST /v1/conversations/dni-reservation', rest.keys.dni)).toMatchObject({
        ...{ status: 415, error: 'Unsupported Media Type', message },
      });
      expect(await refusalOf('POST /v1/alert-rules', rest.keys.monitoring)).toMatchObject({
        ...{ status: 415, message, errors: [] },
      });
    });

    it('reports a fault to the operator, and only its id to the caller (1.6)', async () => {
      const { status, body, text } = await chat(rest.keys.runtime, { variant_id: 'bug' });
      expect([status, body['error_code'], body['error']]).toEqual([
        500,
        'INTERNAL_ERROR',
        'Internal server error',
      ]);
      expect(text).not.toContain('secret');
      expect(rest.failures.join()).toContain('serve chatCreate: Error: the secret inside');
    });
  });
});

describe('200 calls that come at once', () => {
  const GOOD = {
    key: ({ keys }: RestFixture) => keys.runtime,
    token: (rest: RestFixture) => rest.connectorToken,
  };
  it.each([
    { name: 'one good key and token', ...GOOD, statuses: [200] },
    {
      name: 'another wrong key each',
      ...GOOD,
      key: (_rest: RestFixture, n: number) => `nak_${n}_${'k'.repeat(30)}`,
      statuses: [401, 429],
    },
    {
      name: 'another wrong connector token each',
      ...GOOD,
      token: (_rest: RestFixture, n: number) => `nct_${n}_${'t'.repeat(30)}`,
      statuses: [401, 429],
    },
  ])('identifies 200 concurrent callers with few statements: $name', async ({ key, token, statuses }) => {
    const rest = await startRestFixture({ routes: ROUTES, isChecked: false });
    const statements = vi.spyOn(rest.database, 'query');
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        rest.call(CHAT, { key: key(rest, n), headers: { 'x-token': token(rest, n) }, body: {} }),
      ),
    );
    expect(statements.mock.calls.length).toBeLessThan(20);
    expect([...new Set(answers.map(({ status }) => status))]).toEqual(statuses);
    await rest.stop();
  });
});

describe('deployment settings', () => {
  const within = async (
    settings: Parameters<typeof startRestFixture>[0],
    test: (rest: RestFixture) => Promise<void>,
  ): Promise<void> => {
    const rest = await startRestFixture({ routes: ROUTES, isChecked: false, ...settings });
    try {
      await test(rest);
    } finally {
      await rest.stop();
    }
  };

  it('limits the requests of a key only if configured (C-14)', async () => {
    await within({ settings: { requestsPerMinute: 2 } }, async (rest) => {
      const ask = (key: string) => rest.call(LIST, { key });
      for (const expected of [200, 200, 429]) expect((await ask(rest.keys.runtime)).status).toBe(expected);
      const { headers, body } = await ask(rest.keys.runtime);
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(body).toMatchObject({ error_code: 'RATE_LIMITED', error: 'Rate limit exceeded' });
      expect((await ask(rest.keys.everyProject)).status).toBe(200);
      rest.clock.skip(60_000);
      expect((await ask(rest.keys.runtime)).status).toBe(200);
    });
    await within({}, async (rest) => {
      for (let index = 0; index < 50; index += 1)
        expect((await rest.call(LIST, { key: rest.keys.runtime })).status).toBe(200);
    });
  });

  it('writes vendor names for all families or for some (section 2)', async () => {
    await within({ settings: { vendorNames: { chat: true } } }, async (rest) => {
      const headers = { 'x-token': rest.connectorToken, 'x-correlation-id': 'c' };
      const chat = await rest.call(CHAT, { key: rest.keys.runtime, headers });
      expect(chat.body['hasVendorNames']).toBe(true);
      expect(chat.headers.get('x-polyai-correlation-id')).toBe('c');
      const list = await rest.call(LIST, { key: rest.keys.runtime });
      expect(list.headers.has('x-correlation-id')).toBe(true);
    });
  });

  const hosts = {
    runtime: { pattern: 'api.{region}.platform.example.com', regions: ['us-1', 'uk-1'] },
    monitoring: { pattern: 'api.{region}.example.com', regions: ['us', 'uk'] },
  };

  it('answers any path of a host without a region with 404 (C-2)', async () => {
    await within({ settings: { hosts } }, async (rest) => {
      for (const host of ['api.platform.example.com', 'API.EXAMPLE.COM:443', 'api.mars.example.com']) {
        for (const path of [LIST, 'GET /anything']) {
          const { status, body } = await rest.call(path, { key: rest.keys.runtime, headers: { host } });
          expect([status, body['error_code']], host).toEqual([404, 'REGION_REQUIRED']);
        }
      }
    });
  });

  it('serves each service on its own host only (C-1)', async () => {
    await within({ settings: { hosts } }, async (rest) => {
      const on = async (host: string, path: string, key: string): Promise<number> =>
        (await rest.call(path, { key, headers: { host } })).status;
      const { runtime, monitoring } = rest.keys;
      expect(await on('api.us-1.platform.example.com', LIST, runtime)).toBe(200);
      expect(await on('api.us.example.com', LIST, runtime)).toBe(404);
      expect(await on('api.us.example.com', 'GET /v1/alert-rules', monitoring)).toBe(200);
      expect(await on('api.us-1.platform.example.com', 'GET /v1/alert-rules', monitoring)).toBe(404);
      expect(await on('api.us-1.platform.example.com', 'PUT /v1/alert-rules', monitoring)).toBe(404);
    });
  });

  it('refuses requests by IP address where there are regions, and names the hosts where there are none (C-2)', async () => {
    const calls = [
      [LIST, 'runtime'],
      ['GET /v1/alert-rules', 'monitoring'],
      ['PUT /v1/alert-rules', 'monitoring'],
    ] as const;
    const headers = { host: '10.0.0.7:8080' };
    await within({ settings: { hosts } }, async (rest) => {
      for (const [path, name] of calls) {
        const { status, body, headers: told } = await rest.call(path, { key: rest.keys[name], headers });
        expect([path, status, body['error_code']]).toEqual([path, 404, 'REGION_REQUIRED']);
        expect(told.has('x-natter-region')).toBe(false);
      }
    });
    await within({ settings: { hosts: { ...hosts, monitoring: null } } }, async (rest) => {
      const statusOf = async (path: string, key: string) => (await rest.call(path, { key, headers })).status;
      expect(await statusOf(LIST, rest.keys.runtime)).toBe(404);
      expect(await statusOf('GET /v1/alert-rules', rest.keys.monitoring)).toBe(200);
    });
    await within({}, async (rest) => {
      for (const [path, name] of calls) {
        const { headers: told } = await rest.call(path, { key: rest.keys[name], headers });
        expect([path, told.get('x-natter-region')]).toEqual([path, 'none']);
      }
    });
  });

  it('refuses a key in another region with 401 (C-2)', async () => {
    await within({ settings: { hosts } }, async (rest) => {
      const key = await rest.addKey({ permissions: ['conversations'], region: 'us-1' });
      const on = async (host: string): Promise<number> =>
        (await rest.call(LIST, { key, headers: { host } })).status;
      expect(await on('api.us-1.platform.example.com')).toBe(200);
      expect(await on('api.uk-1.platform.example.com')).toBe(401);
    });
  });
});
