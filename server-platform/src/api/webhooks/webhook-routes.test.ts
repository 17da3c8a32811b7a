import { randomBytes } from 'node:crypto';
import { monitoringErrorSchema, parseBody } from '@natter/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type RestFixture,
  type RestTestAnswer,
  startRestFixture,
} from '../../../test/api/rest/rest-fixture.ts';
import { addAccount } from '../../accounts/index.ts';
import { createSecretVault } from '../../accounts/tokens/secret-vault.ts';
import { createWebhookRoutes } from './webhook-routes.ts';
import { createWebhookService } from './webhook-service.ts';

const ENDPOINT = {
  name: 'Operations',
  url: 'https://ops.example.com/hook',
  event_types: ['alerts.triggered'],
} as const;
const PUBLIC = { allowsPrivateAddresses: false };
const VAULT = createSecretVault([randomBytes(32)]);

const INVALID = { status: 400, code: 'SCHEMA_VALIDATION_FAILED', text: 'Validation failed' };

describe('webhook endpoints', () => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await startRestFixture({
      families: ({ database, clock }) => [
        {
          routes: createWebhookRoutes(
            createWebhookService({ database, clock, vault: VAULT, ...PUBLIC }),
            PUBLIC,
          ),
        },
      ],
    });
  });
  afterAll(() => rest.stop());
  beforeEach(() => rest.database.query('DELETE FROM webhook_endpoints'));

  const call = (
    methodAndPath: string,
    body?: object | string,
    key = rest.keys.monitoring,
  ): Promise<RestTestAnswer> => rest.call(methodAndPath, body === undefined ? { key } : { key, body });
  const create = async (over: object = {}): Promise<RestTestAnswer['body']> => {
    // Endpoints created in the same millisecond have no order.
    rest.clock.skip(1);
    const { status, body } = await call('POST /v1/webhook-endpoints', { ...ENDPOINT, ...over });
    expect(status).toBe(201);
    return body;
  };
  const names = async (query: string): Promise<unknown> => {
    const { status, body } = await call(`GET /v1/webhook-endpoints${query}`);
    expect(status).toBe(200);
    return (body['data'] as { readonly name: string }[]).map(({ name }) => name);
  };
  /** Returns the faults of a refusal, whose body must have shape M. */
  const faultsOf = ({ status, body }: RestTestAnswer): Record<string, unknown> => {
    expect(parseBody(monitoringErrorSchema, body)).toMatchObject({ isOk: true });
    const errors = body['errors'] as { readonly field: string; readonly message: string }[];
    const faults = Object.fromEntries(errors.map(({ field, message }) => [field, message]));
    return { status, code: body['error_code'], text: body['message'], faults: faults };
  };
  const storedSecret = async (id: unknown): Promise<string> => {
    const [row] = await rest.database.query<{ secret: string }>(
      'SELECT secret FROM webhook_endpoints WHERE id = $1',
      [String(id)],
    );
    return row?.secret ?? '';
  };

  it('creates a webhook endpoint with the defaults, and shows its secret once (WE-2)', async () => {
    const { signing_secret: secret, ...endpoint } = await create();
    expect(secret).toMatch(/^whs_[A-Za-z0-9_-]{43}$/);
    expect(endpoint).toEqual({
      ...ENDPOINT,
      id: expect.stringMatching(/^whe_[A-Za-z0-9]{22}$/),
      enabled: true,
      headers: {},
      timeout_ms: 5000,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      updated_at: endpoint['created_at'],
    });
    const path = `/v1/webhook-endpoints/${endpoint['id']}`;
    expect((await call(`GET ${path}`)).body).toEqual(endpoint);
    expect((await call('GET /v1/webhook-endpoints')).body).toEqual({ data: [endpoint] });
    expect((await call(`PATCH ${path}`, { name: 'x' })).body).not.toHaveProperty('signing_secret');
  });

  it('keeps the secret of a webhook endpoint encrypted (WE-2)', async () => {
    const { id, signing_secret: secret } = await create();
    const stored = await storedSecret(id);
    expect(stored).not.toContain(String(secret).slice(4));
    expect(VAULT.open(stored, String(id))).toBe(secret);
  });

  it('replaces the secret of a webhook endpoint at once on a rotation (WE-3)', async () => {
    const { id, signing_secret: secret } = await create();
    const { status, body } = await call(`POST /v1/webhook-endpoints/${id}/rotate-secret`);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['signing_secret']);
    expect(body['signing_secret']).toMatch(/^whs_[A-Za-z0-9_-]{43}$/);
    expect(body['signing_secret']).not.toBe(secret);
    expect(VAULT.open(await storedSecret(id), String(id))).toBe(body['signing_secret']);
  });

  it('allows ten webhook endpoints, even when more are created at once (WE-1)', async () => {
    const tries = Array.from({ length: 12 }, () => call('POST /v1/webhook-endpoints', ENDPOINT));
    const answers = await Promise.all(tries);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    for (const refused of answers.filter(({ status }) => status !== 201)) {
      expect(faultsOf(refused)).toEqual({
        status: 409,
        code: 'RESOURCE_LIMIT_EXCEEDED',
        text: 'Maximum number of webhook endpoints reached',
        faults: {},
      });
    }
  });

  it('refuses a webhook endpoint with 400 and one fault per field (WE-4)', async () => {
    const wrong = {
      name: 7,
      url: 'http://ops.example.com',
      event_types: [],
      headers: { a: 1 },
      timeout_ms: 999,
      enabled: 'yes',
      secret: 'mine',
    };
    const faults = {
      name: 'must be a string of 1 to 255 characters',
      url: 'must be an https URL',
      event_types: 'must contain at least one event type',
      headers: 'must be a map of header names to strings',
      timeout_ms: 'must be an integer between 1000 and 30000',
      enabled: 'must be a boolean',
      secret: 'unknown field',
    };
    const expected = { ...INVALID, faults };
    expect(faultsOf(await call('POST /v1/webhook-endpoints', wrong))).toEqual(expected);
    const { id } = await create();
    expect(faultsOf(await call(`PATCH /v1/webhook-endpoints/${id}`, wrong))).toEqual(expected);
    expect(faultsOf(await call('POST /v1/webhook-endpoints', {}))).toMatchObject({
      ...INVALID,
      faults: { name: 'is required', url: 'is required', event_types: 'is required' },
    });
    expect(await names('')).toEqual(['Operations']);
  });

  it.each([
    ['a private host', { url: 'https://10.0.0.8/hook' }, { url: 'must be an https URL' }],
    ['this machine', { url: 'https://localhost/hook' }, { url: 'must be an https URL' }],
    [
      'user info',
      { url: 'https://me:pw@ops.example.com/' },
      { url: 'must not contain a user name or password: use headers' },
    ],
    [
      'a long URL',
      { url: `https://ops.example.com/${'x'.repeat(2048)}` },
      { url: 'must be at most 2048 characters' },
    ],
    [
      'one event type in place of a list',
      { event_types: 'alerts.triggered' },
      { event_types: 'must be a list of event types, such as ["alerts.triggered"]' },
    ],
    [
      'an unknown event type',
      { event_types: ['calls.ended'] },
      { event_types: 'must be one of: alerts.triggered, alerts.resolved' },
    ],
    ['a reserved header', { headers: { HOST: 'x' } }, { headers: 'reserved header' }],
    ['a header that HTTP clients refuse', { headers: { Expect: 'x' } }, { headers: 'reserved header' }],
    ['a header of the connection', { headers: { Upgrade: 'h2c' } }, { headers: 'reserved header' }],
    ['a delivery header', { headers: { 'x-webhook-signature': 'x' } }, { headers: 'reserved header' }],
    ['a name with U+0000', { name: '\u0000' }, { name: 'must not contain the character U+0000' }],
  ])(
    'refuses a webhook endpoint with %s with 400 on create and on change (WE-4)',
    async (_, over, faults) => {
      const expected = { ...INVALID, faults };
      expect(faultsOf(await call('POST /v1/webhook-endpoints', { ...ENDPOINT, ...over }))).toEqual(expected);
      const { id } = await create();
      expect(faultsOf(await call(`PATCH /v1/webhook-endpoints/${id}`, over))).toEqual(expected);
    },
  );

  it.each(['', '[]', '{', 'null'])('refuses the webhook endpoint %j with 400 (WE-4)', async (body) => {
    const faults = faultsOf(await call('POST /v1/webhook-endpoints', body));
    expect(faults).toMatchObject(INVALID);
  });

  it.each(['whe_', 'ar_1', 'whe_a-b', 'x'])(
    'answers the malformed endpoint id %s with 422 (WE-4)',
    async (id) => {
      const calls = [
        ['GET', ''],
        ['PATCH', '', {}],
        ['DELETE', ''],
        ['POST', '/rotate-secret'],
      ] as const;
      for (const [method, rest, body] of calls) {
        expect(faultsOf(await call(`${method} /v1/webhook-endpoints/${id}${rest}`, body))).toEqual({
          status: 422,
          code: 'SCHEMA_VALIDATION_FAILED',
          text: 'Malformed webhook endpoint id',
          faults: {},
        });
      }
    },
  );

  it("answers 404 for another account's endpoint, as for a missing one (section 11)", async () => {
    const { id } = await create();
    const account = await addAccount(rest.database, { slug: `b-${rest.clock.now()}` });
    const key = await rest.addKey({ account, permissions: ['monitoring'] });
    const calls = [
      ['GET', ''],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', ''],
      ['POST', '/rotate-secret'],
    ] as const;
    for (const [method, rest, body] of calls) {
      for (const [own, as] of [[id, key], ['whe_1']]) {
        expect(
          faultsOf(await call(`${method} /v1/webhook-endpoints/${own}${rest}`, body, as as string)),
        ).toEqual({ status: 404, code: 'NOT_FOUND', text: 'Resource not found', faults: {} });
      }
    }
    expect((await call('GET /v1/webhook-endpoints', undefined, key)).body).toEqual({ data: [] });
    expect(await names('')).toEqual(['Operations']);
  });

  it('changes only the given fields of a webhook endpoint (section 11)', async () => {
    const { signing_secret: _, ...before } = await create({ headers: { 'X-Team': 'ops' } });
    const path = `/v1/webhook-endpoints/${before['id']}`;
    expect((await call(`PATCH ${path}`, {})).body).toMatchObject({
      ...before,
      updated_at: expect.any(String),
    });
    rest.clock.skip(60_000);
    const changes = {
      url: 'https://b.example.com/',
      event_types: ['alerts.resolved', 'alerts.resolved'],
      headers: {},
      timeout_ms: 30_000,
      enabled: false,
    };
    const { status, body } = await call(`PATCH ${path}`, changes);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      ...changes,
      event_types: ['alerts.resolved'],
      updated_at: body['updated_at'],
    });
    expect(body['updated_at']).not.toBe(before['updated_at']);
  });

  it('deletes a webhook endpoint, and answers without a body (section 11)', async () => {
    const { id } = await create();
    const { status, text } = await call(`DELETE /v1/webhook-endpoints/${id}`);
    expect([status, text]).toEqual([204, '']);
    expect((await call(`GET /v1/webhook-endpoints/${id}`)).status).toBe(404);
  });

  it('lists webhook endpoints by creation time, filtered by enabled and event type (section 11)', async () => {
    await create({ name: 'one' });
    await create({ name: 'two', enabled: false, event_types: ['alerts.resolved', 'alerts.triggered'] });
    await create({ name: 'three', event_types: ['alerts.resolved'] });
    expect(await names('')).toEqual(['one', 'two', 'three']);
    expect(await names('?enabled=false')).toEqual(['two']);
    expect(await names('?event_type=alerts.resolved')).toEqual(['two', 'three']);
    expect(await names('?project_id=x&metric=y')).toEqual(['one', 'two', 'three']);
    for (const query of ['?enabled=maybe', '?event_type=x']) {
      expect(faultsOf(await call(`GET /v1/webhook-endpoints${query}`))).toMatchObject({ status: 400 });
    }
  });
});
