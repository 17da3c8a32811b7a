import { monitoringErrorSchema, parseBody } from '@natter/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type RestFixture,
  type RestTestAnswer,
  startRestFixture,
} from '../../../test/api/rest/rest-fixture.ts';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import { addAccount, addProject } from '../../accounts/index.ts';
import { AlertEvaluator, type EvaluationBackend } from './alert-evaluator.ts';
import type { AlertEvent } from './alert-event.ts';
import { createAlertRoutes } from './alert-routes.ts';
import { createAlertService } from './alert-service.ts';
import { readMetric } from './read-metric.ts';

const RULE = {
  name: 'Slow turns',
  metric: 'turn_latency_p95',
  operator: '>=',
  threshold_value: 3500,
  window_duration: '5m',
} as const;

const INVALID = { status: 400, code: 'SCHEMA_VALIDATION_FAILED', text: 'Validation failed' };

describeStorage('alert rules', (engine) => {
  let rest: RestFixture;
  let evaluator: AlertEvaluator;
  let refuses = false;
  let readsStore = false;
  let value: number | null = 0;
  const emitted: unknown[] = [];
  const woken: number[] = [];
  beforeAll(async () => {
    rest = await startRestFixture({
      engine,
      families: ({ database, clock, scheduler }) => {
        evaluator = new AlertEvaluator({
          database,
          clock,
          scheduler,
          intervalMs: 60_000,
          emit: async (_sql, _accountId, { body }) => void emitted.push(JSON.parse(body)),
          onEvaluated: () => {},
          onFailure: () => {},
          readMetric: (sql, metric, scope) =>
            readsStore ? readMetric(sql, metric, scope) : Promise.resolve(value),
        });
        const backend: EvaluationBackend = {
          accept: (sql, rule) => (refuses ? Promise.reject(new Error('away')) : evaluator.accept(sql, rule)),
        };
        const emit = async (_sql: unknown, _accountId: string, { body }: AlertEvent) =>
          void emitted.push(JSON.parse(body));
        return [
          {
            routes: createAlertRoutes(
              createAlertService({ database, clock, backend, emit, onEmitted: () => woken.push(1) }),
            ),
          },
        ];
      },
    });
  });
  afterAll(() => rest.stop());
  beforeEach(async () => {
    refuses = false;
    readsStore = false;
    value = 0;
    emitted.length = 0;
    woken.length = 0;
    await rest.database.query('DELETE FROM alert_rules');
    await rest.database.query('DELETE FROM unresolved_alerts');
  });

  const call = (
    methodAndPath: string,
    body?: object | string,
    key = rest.keys.monitoring,
  ): Promise<RestTestAnswer> => rest.call(methodAndPath, body === undefined ? { key } : { key, body });
  const create = async (over: object = {}): Promise<RestTestAnswer['body']> => {
    // Rules created in the same millisecond have no order.
    rest.clock.skip(1);
    const { status, body } = await call('POST /v1/alert-rules', { ...RULE, ...over });
    expect(status).toBe(201);
    return body;
  };
  const names = async (path: string): Promise<unknown> => {
    const { status, body } = await call(`GET ${path}`);
    expect(status).toBe(200);
    return (body['data'] as { readonly name: string }[]).map(({ name }) => name);
  };
  /** The faults of a refusal, whose body must be an M. */
  const faultsOf = ({ status, body }: RestTestAnswer): Record<string, unknown> => {
    expect(parseBody(monitoringErrorSchema, body)).toMatchObject({ isOk: true });
    const errors = body['errors'] as { readonly field: string; readonly message: string }[];
    return {
      status,
      code: body['error_code'],
      text: body['message'],
      faults: Object.fromEntries(errors.map(({ field, message }) => [field, message])),
    };
  };

  it('creates an alert rule as ok, enabled and account-wide, not yet evaluated (AL-10)', async () => {
    const body = await create();
    expect(body).toEqual({
      ...RULE,
      id: expect.stringMatching(/^ar_[A-Za-z0-9]{22}$/),
      project_id: null,
      enabled: true,
      current_state: 'ok',
      since: null,
      last_evaluated_at: null,
      current_value: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      updated_at: body['created_at'],
    });
    expect((await call(`GET /v1/alert-rules/${body['id']}`)).body).toEqual(body);
    expect((await call('GET /v1/alert-rules')).body).toEqual({ data: [body] });
  });

  describe('that are firing', () => {
    const HEADER = 'x-natter-unresolved-alert';
    /** Creates a rule that has just sent `alerts.triggered`. */
    const fire = async (over: object = {}): Promise<string> => {
      const id = String((await create(over))['id']);
      await evaluate(9_000);
      expect(emitted).toMatchObject([{ event_type: 'alerts.triggered', alert: { id } }]);
      emitted.length = 0;
      return id;
    };
    const evaluate = async (next: number | null): Promise<void> => {
      value = next;
      rest.clock.skip(60_000);
      await evaluator.evaluate();
    };
    const resolve = (id: string, key?: string): Promise<RestTestAnswer> =>
      call(`POST /internal/v1/alert-rules/${id}/resolve`, undefined, key);

    it.each([
      ['changed', 'PATCH', { threshold_value: 9_999 }, 200],
      ['disabled', 'PATCH', { enabled: false }, 200],
      ['deleted', 'DELETE', undefined, 204],
    ])(
      'warns that no event is sent when firing rules are %s, and names the call that sends it',
      async (_, method, body, status) => {
        const id = await fire();
        const answer = await call(`${method} /v1/alert-rules/${id}`, body);
        expect(answer.status).toBe(status);
        expect(answer.headers.get(HEADER)).toBe(`/internal/v1/alert-rules/${id}/resolve`);
        expect(emitted).toEqual([]);

        const { body: resolved } = await resolve(id);
        expect(resolved).toEqual({ alert_rule_id: id, resolved_at: expect.stringMatching(/Z$/) });
        expect(emitted).toEqual([
          {
            event_type: 'alerts.resolved',
            alert: {
              id,
              name: RULE.name,
              project_id: null,
              metric: RULE.metric,
              operator: RULE.operator,
              threshold_value: RULE.threshold_value,
              current_value: 9_000,
              previous_state: 'alert',
              resolved_at: resolved['resolved_at'],
            },
            event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          },
        ]);
        expect(woken).toHaveLength(1);
        // Resolved once: a second request gets a 404.
        expect(await resolve(id)).toMatchObject({
          status: 404,
          body: { error_code: 'NOT_FOUND', message: 'Nothing of this rule waits to be resolved' },
        });
        expect(emitted).toHaveLength(1);
      },
    );

    it('does not warn when only the name of a rule changes, or when it does not fire', async () => {
      const id = await fire();
      expect((await call(`PATCH /v1/alert-rules/${id}`, { name: 'Other' })).headers.get(HEADER)).toBeNull();
      await evaluate(1);
      emitted.length = 0;
      expect((await call(`PATCH /v1/alert-rules/${id}`, { enabled: false })).headers.get(HEADER)).toBeNull();
      expect((await call(`DELETE /v1/alert-rules/${id}`)).headers.get(HEADER)).toBeNull();
      expect((await resolve(id)).status).toBe(404);
    });

    it('resolves a firing rule on request, which fires again while the breach continues', async () => {
      const id = await fire();
      expect((await resolve(id)).status).toBe(200);
      expect(emitted).toMatchObject([{ event_type: 'alerts.resolved', alert: { id } }]);
      expect((await call(`GET /v1/alert-rules/${id}`)).body['current_state']).toBe('ok');
      expect((await call('GET /v1/alerts')).body).toEqual({ data: [] });
      await evaluate(9_000);
      expect(emitted).toMatchObject([{}, { event_type: 'alerts.triggered', alert: { id } }]);
    });

    it('resets open incidents of rules that have sent alerts.resolved', async () => {
      const id = await fire();
      await call(`PATCH /v1/alert-rules/${id}`, { threshold_value: 8_000 });
      await evaluate(9_000);
      await evaluate(1);
      expect(emitted).toMatchObject([{ event_type: 'alerts.triggered' }, { event_type: 'alerts.resolved' }]);
      expect((await resolve(id)).status).toBe(404);
    });

    it('resolves alert rules only with a key of their account', async () => {
      const id = await fire();
      const other = await addAccount(rest.database, { slug: `other-${rest.clock.now()}` });
      const key = await rest.addKey({ account: other, permissions: ['monitoring'] });
      expect((await resolve(id, key)).status).toBe(404);
      expect((await resolve('nonsense')).status).toBe(422);
      expect((await resolve(id, rest.keys.runtime)).status).toBe(401);
      expect(emitted).toEqual([]);
    });
  });

  it('returns the project id of an alert rule, however the caller named the project (C-4)', async () => {
    for (const project_id of ['shop', rest.project.id]) {
      expect(await create({ project_id })).toMatchObject({ project_id: rest.project.id });
    }
    expect(await create({ project_id: null })).toMatchObject({ project_id: null });
  });

  it('refuses an alert rule with 400 and one fault per field (AL-1)', async () => {
    const wrong = {
      name: '',
      project_id: 7,
      metric: 'temperature',
      operator: '=',
      threshold_value: -1,
      window_duration: '7m',
      enabled: 'yes',
      severity: 'high',
    };
    expect(faultsOf(await call('POST /v1/alert-rules', wrong))).toEqual({
      ...INVALID,
      faults: {
        name: 'must be a string of 1 to 255 characters',
        project_id: 'must be a string or null',
        metric:
          'must be one of: turn_latency_p50, turn_latency_p95, api_errors, function_errors, call_crashes, call_volume',
        operator: 'must be one of: >, <, >=, <=',
        threshold_value: 'must be a non-negative integer',
        window_duration: 'must be one of: 5m, 10m, 60m',
        enabled: 'must be a boolean',
        severity: 'unknown field',
      },
    });
    expect(faultsOf(await call('POST /v1/alert-rules', {}))).toMatchObject({
      ...INVALID,
      faults: {
        name: 'is required',
        metric: 'is required',
        operator: 'is required',
        threshold_value: 'is required',
        window_duration: 'is required',
      },
    });
    expect(await names('/v1/alert-rules')).toEqual([]);
  });

  it.each(['', '[]', '"text"', 'null', '{', '7'])(
    'refuses the alert rule %j with 400 (AL-1)',
    async (body) => {
      expect(faultsOf(await call('POST /v1/alert-rules', body))).toMatchObject(INVALID);
    },
  );

  it.each([
    ['a name with U+0000', { name: 'a\u0000b' }, { name: 'must not contain the character U+0000' }],
    ['a fraction', { threshold_value: 1.5 }, { threshold_value: 'must be a non-negative integer' }],
    ['a long name', { name: 'x'.repeat(256) }, { name: 'must be a string of 1 to 255 characters' }],
  ])('refuses an alert rule with %s with 400 on create and on change (AL-1)', async (_, over, faults) => {
    expect(faultsOf(await call('POST /v1/alert-rules', { ...RULE, ...over }))).toMatchObject({
      ...INVALID,
      faults: faults,
    });
    const { id } = await create();
    expect(faultsOf(await call(`PATCH /v1/alert-rules/${id}`, over))).toMatchObject({
      ...INVALID,
      faults: faults,
    });
  });

  it('refuses a project of another account with 422 (AL-1)', async () => {
    const other = await addAccount(rest.database, { slug: `other-${rest.clock.now()}` });
    const foreign = await addProject(rest.database, other, { slug: 'theirs' });
    const { id } = await create();
    for (const project_id of ['nowhere', 'theirs', foreign.id]) {
      const faults = { project_id: 'must be a project of this account' };
      const expected = {
        status: 422,
        code: 'SCHEMA_VALIDATION_FAILED',
        text: 'Validation failed',
        faults: faults,
      };
      expect(faultsOf(await call('POST /v1/alert-rules', { ...RULE, project_id }))).toEqual(expected);
      expect(faultsOf(await call(`PATCH /v1/alert-rules/${id}`, { project_id }))).toEqual(expected);
    }
  });

  it.each(['ar_', 'whe_1', 'ar_a-b', 'x', 'ar_é', '%20'])(
    'answers the malformed rule id %s with 422 (AL-1)',
    async (id) => {
      for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const) {
        expect(faultsOf(await call(`${method} /v1/alert-rules/${id}`, body))).toEqual({
          status: 422,
          code: 'SCHEMA_VALIDATION_FAILED',
          text: 'Malformed alert rule id',
          faults: {},
        });
      }
    },
  );

  it("answers 404 for another account's rule, as for a missing one (AL-4)", async () => {
    const { id } = await create();
    const account = await addAccount(rest.database, { slug: `b-${rest.clock.now()}` });
    const key = await rest.addKey({ account, permissions: ['monitoring'] });
    for (const [path, as] of [
      [`/v1/alert-rules/${id}`, key],
      ['/v1/alert-rules/ar_1', rest.keys.monitoring],
    ] as const) {
      for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const) {
        expect(faultsOf(await call(`${method} ${path}`, body, as))).toEqual({
          status: 404,
          code: 'NOT_FOUND',
          text: 'Resource not found',
          faults: {},
        });
      }
    }
    expect((await call('GET /v1/alert-rules', undefined, key)).body).toEqual({ data: [] });
    expect((await call(`GET /v1/alert-rules/${id}`)).body).toMatchObject({ name: 'Slow turns' });
  });

  it('allows ten alert rules including disabled ones, even when eleven are created at once (AL-2)', async () => {
    const tries = Array.from({ length: 12 }, (_, index) =>
      call('POST /v1/alert-rules', { ...RULE, name: `rule ${index}`, enabled: index % 2 === 0 }),
    );
    const answers = await Promise.all(tries);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    for (const refused of answers.filter(({ status }) => status !== 201)) {
      expect(faultsOf(refused)).toEqual({
        status: 409,
        code: 'RESOURCE_LIMIT_EXCEEDED',
        text: 'Maximum number of alert rules reached',
        faults: {},
      });
    }
    const [first] = answers.filter(({ status }) => status === 201);
    expect((await call(`DELETE /v1/alert-rules/${first?.body['id']}`)).status).toBe(204);
    expect((await call('POST /v1/alert-rules', RULE)).status).toBe(201);
  });

  it('stores no alert rule that the evaluation does not accept (AL-3)', async () => {
    const { id } = await create();
    refuses = true;
    const expected = {
      status: 502,
      code: 'MONITORING_SYNC_FAILED',
      text: 'Monitoring backend sync failed',
      faults: {},
    };
    expect(faultsOf(await call('POST /v1/alert-rules', RULE))).toEqual(expected);
    expect(faultsOf(await call(`PATCH /v1/alert-rules/${id}`, { name: 'New' }))).toEqual(expected);
    expect(await names('/v1/alert-rules')).toEqual(['Slow turns']);
  });

  it('stores no alert rule whose metric the store refuses (AL-3)', async () => {
    readsStore = true;
    const { id } = await create();
    await rest.database.query('ALTER TABLE conversation_turns RENAME TO turns_away');
    try {
      const refused = [
        await call('POST /v1/alert-rules', { ...RULE, name: 'Another' }),
        await call(`PATCH /v1/alert-rules/${id}`, { name: 'New', threshold_value: 1 }),
      ];
      for (const answer of refused)
        expect(faultsOf(answer)).toMatchObject({ status: 502, code: 'MONITORING_SYNC_FAILED' });
      // A disabled rule needs no evaluation backend.
      expect((await call(`PATCH /v1/alert-rules/${id}`, { enabled: false })).status).toBe(200);
    } finally {
      await rest.database.query('ALTER TABLE turns_away RENAME TO conversation_turns');
    }
    expect(await names('/v1/alert-rules')).toEqual(['Slow turns']);
  });

  it('changes only the given fields of an alert rule (section 9)', async () => {
    const before = await create({ project_id: 'shop' });
    const path = `/v1/alert-rules/${before['id']}`;
    expect((await call(`PATCH ${path}`, {})).body).toEqual(before);
    rest.clock.skip(60_000);
    const { status, body } = await call(`PATCH ${path}`, { name: 'Slower', threshold_value: 0 });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, name: 'Slower', threshold_value: 0, updated_at: body['updated_at'] });
    expect(body['updated_at']).not.toBe(before['updated_at']);
    expect((await call(`PATCH ${path}`, { project_id: null })).body).toMatchObject({ project_id: null });
  });

  it('deletes an alert rule, and answers without a body (section 9)', async () => {
    const { id } = await create();
    const { status, text } = await call(`DELETE /v1/alert-rules/${id}`);
    expect([status, text]).toEqual([204, '']);
    expect((await call(`GET /v1/alert-rules/${id}`)).status).toBe(404);
  });

  it('lists alert rules by creation time, filtered by project, metric, enabled and state (section 9)', async () => {
    await create({ name: 'one', project_id: 'shop', threshold_value: 1 });
    await create({ name: 'two', metric: 'call_volume', operator: '<', threshold_value: 1 });
    await create({ name: 'three', enabled: false });
    await evaluator.evaluate();
    expect(await names('/v1/alert-rules')).toEqual(['one', 'two', 'three']);
    expect(await names('/v1/alert-rules?project_id=shop')).toEqual(['one']);
    expect(await names(`/v1/alert-rules?project_id=${rest.project.id}`)).toEqual(['one']);
    expect(await names('/v1/alert-rules?project_id=nowhere')).toEqual([]);
    expect(await names('/v1/alert-rules?metric=call_volume')).toEqual(['two']);
    expect(await names('/v1/alert-rules?enabled=false')).toEqual(['three']);
    expect(await names('/v1/alert-rules?enabled=TRUE&colour=red')).toEqual(['one', 'two']);
    expect(await names('/v1/alert-rules?state=alert')).toEqual(['two']);
  });

  it.each(['metric=heat', 'enabled=1', 'state=firing', 'enabled=true&enabled=true'])(
    'refuses a list of alert rules with %s with 400 (AL-1, C-9, C-10)',
    async (query) => {
      const faults = faultsOf(await call(`GET /v1/alert-rules?${query}`));
      expect(faults).toMatchObject(INVALID);
    },
  );

  it("shows the result of a rule's last evaluation (9.1)", async () => {
    const { id } = await create({ threshold_value: 10 });
    value = 12;
    rest.clock.skip(60_000);
    await evaluator.evaluate();
    const { body } = await call(`GET /v1/alert-rules/${id}`);
    expect(body).toMatchObject({ current_state: 'alert', current_value: 12 });
    expect([body['since'], body['last_evaluated_at']]).toEqual(
      Array(2).fill(expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)),
    );
  });

  it('lists firing rules among the alerts (section 10)', async () => {
    const rule = await create({ project_id: 'shop', threshold_value: 10 });
    await create({ name: 'quiet', threshold_value: 100 });
    value = 12;
    await evaluator.evaluate();
    const { status, body } = await call('GET /v1/alerts');
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        {
          alert_rule_id: rule['id'],
          name: 'Slow turns',
          project_id: rest.project.id,
          metric: 'turn_latency_p95',
          operator: '>=',
          threshold_value: 10,
          window_duration: '5m',
          since: expect.any(String),
          last_evaluated_at: expect.any(String),
          current_value: 12,
        },
      ],
    });
    expect(await names('/v1/alerts?project_id=shop&metric=turn_latency_p95&enabled=true')).toEqual([
      'Slow turns',
    ]);
    for (const query of ['project_id=x', 'metric=call_volume', 'enabled=false']) {
      expect(await names(`/v1/alerts?${query}`)).toEqual([]);
    }
    expect(faultsOf(await call('GET /v1/alerts?metric=heat'))).toMatchObject({ status: 400 });
    await call(`PATCH /v1/alert-rules/${rule['id']}`, { threshold_value: 11 });
    expect(await names('/v1/alerts')).toEqual([]);
  });

  it("requires an account's monitoring key for alert rules (1.5)", async () => {
    for (const path of ['/v1/alert-rules', '/v1/alerts']) {
      expect(faultsOf(await rest.call(`GET ${path}`))).toMatchObject({
        status: 401,
        code: 'AUTH_INVALID_API_KEY',
      });
      expect(faultsOf(await rest.call(`GET ${path}`, { key: rest.keys.runtime }))).toMatchObject({
        status: 401,
      });
    }
  });
});
