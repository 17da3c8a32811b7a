import { describe, expect, expectTypeOf, it } from 'vitest';
import { withServer } from '../../testing/scripted-server.test.ts';
import {
  type AlertMetric,
  type AlertOperator,
  type AlertRulesQuery,
  type AlertState,
  alertRuleCreateBodySchema,
  alertRuleUpdateBodySchema,
  parseBody,
} from '../index.ts';

const body = {
  name: 'Slow turns',
  project_id: null,
  metric: 'turn_latency_p95',
  operator: '>=',
  threshold_value: 3500,
  window_duration: '5m',
  enabled: true,
} as const;
const rule = {
  ...body,
  id: 'ar_7Kq2mZp9Xw4Lr8Tn3Vb5Hc',
  current_state: 'ok',
  since: null,
  last_evaluated_at: null,
  current_value: null,
  created_at: '2026-03-02T09:15:00Z',
  updated_at: '2026-03-02T09:15:00Z',
};
const faults = (schema: Parameters<typeof parseBody>[0], value: unknown): unknown => {
  const parsed = parseBody(schema, value);
  return parsed.isOk
    ? parsed.value
    : Object.fromEntries(parsed.errors.map(({ field, message }) => [field, message]));
};

describe('alert rules', () => {
  it('lists, creates, reads, changes and deletes alert rules with the documented requests', async () => {
    const script = [
      { status: 200, body: { data: [rule] } },
      { status: 201, body: rule },
      { status: 200, body: rule },
      { status: 200, body: { ...rule, enabled: false } },
      { status: 204 },
    ];
    await withServer(script, async ({ alertRules }, { seen }) => {
      expect(await alertRules.list({ enabled: true, metric: 'turn_latency_p95', state: 'ok' })).toEqual([
        rule,
      ]);
      expect(await alertRules.create(body)).toEqual(rule);
      expect(await alertRules.get(rule.id)).toEqual(rule);
      expect(await alertRules.update(rule.id, { enabled: false })).toMatchObject({ enabled: false });
      await alertRules.delete(rule.id);
      expect(seen.map(({ method, url, body: sent }) => [method, url, sent])).toEqual([
        ['GET', '/v1/alert-rules?enabled=true&metric=turn_latency_p95&state=ok', ''],
        ['POST', '/v1/alert-rules', JSON.stringify(body)],
        ['GET', `/v1/alert-rules/${rule.id}`, ''],
        ['PATCH', `/v1/alert-rules/${rule.id}`, '{"enabled":false}'],
        ['DELETE', `/v1/alert-rules/${rule.id}`, ''],
      ]);
    });
  });

  it('reads alert rules without nullable fields, and with values that this version does not know', async () => {
    const { project_id: _a, current_state: _b, since: _c, current_value: _d, ...bare } = rule;
    await withServer(
      [{ status: 200, body: { ...bare, metric: 'new_metric', threshold_value: 1.5 } }],
      async (natter) => {
        const read = await natter.alertRules.get('ar_1');
        expect(read).toMatchObject({
          project_id: null,
          current_state: null,
          metric: 'new_metric',
          threshold_value: 1.5,
        });
      },
    );
  });

  it('accepts an alert rule that was read for creating another', async () => {
    await withServer(
      [
        { status: 200, body: rule },
        { status: 201, body: rule },
      ],
      async (natter, { seen }) => {
        const { name, metric, operator, threshold_value, window_duration, current_state } =
          await natter.alertRules.get(rule.id);
        await natter.alertRules.create({ name, metric, operator, threshold_value, window_duration });
        const isFiring: boolean = current_state === 'alert';
        expect([seen[1]?.method, isFiring]).toEqual(['POST', false]);
        expectTypeOf(metric).toEqualTypeOf<AlertMetric>();
        expectTypeOf(operator).toEqualTypeOf<AlertOperator>();
        expectTypeOf(current_state).toEqualTypeOf<AlertState | null>();
        // Unions of the names that there are, not any text: a typing error does not compile.
        expectTypeOf<'turn_latency_p95'>().toExtend<AlertMetric>();
        expectTypeOf<'turn_latency_p96'>().not.toExtend<AlertMetric>();
        expectTypeOf<'>='>().toExtend<AlertOperator>();
        expectTypeOf<'=>'>().not.toExtend<AlertOperator>();
        expectTypeOf<'no_data'>().toExtend<AlertState>();
        expectTypeOf<'firing'>().not.toExtend<AlertState>();
      },
    );
  });

  it.each([
    [{ metrik: 'turn_latency_p95' }, 'metrik is not a parameter of this call; did you mean metric?'],
    [{ projectId: 'a' }, 'projectId is not a parameter of this call; did you mean project_id?'],
    [
      { current_state: 'ok' },
      'current_state is not a parameter of this call; there are project_id, metric, enabled, state',
    ],
  ])('refuses an alert rule filter that the platform would ignore: %j', async (query, text) => {
    await withServer([], async ({ alertRules }, { seen }) => {
      const error: unknown = await alertRules
        .list(query as AlertRulesQuery)
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: 'INVALID_ARGUMENT',
        fieldErrors: [{ field: Object.keys(query)[0] }],
      });
      expect(String(error)).toContain(text);
      expect(seen).toEqual([]);
    });
  });

  it('refuses alert rules with one message per field', () => {
    expect(faults(alertRuleCreateBodySchema, {})).toEqual({
      name: 'is required',
      metric: 'is required',
      operator: 'is required',
      threshold_value: 'is required',
      window_duration: 'is required',
    });
    const wrong = {
      name: '',
      project_id: 5,
      metric: 'x',
      operator: '=',
      threshold_value: -0.5,
      window_duration: '1h',
      enabled: 'yes',
    };
    expect(faults(alertRuleCreateBodySchema, { ...wrong, colour: 1, size: 2 })).toEqual({
      name: 'must be a string of 1 to 255 characters',
      project_id: 'must be a string or null',
      metric:
        'must be one of: turn_latency_p50, turn_latency_p95, api_errors, function_errors, call_crashes, call_volume',
      operator: 'must be one of: >, <, >=, <=',
      threshold_value: 'must be a non-negative integer',
      window_duration: 'must be one of: 5m, 10m, 60m',
      enabled: 'must be a boolean',
      colour: 'unknown field',
      size: 'unknown field',
    });
    const named = JSON.parse(
      `${JSON.stringify(body).slice(0, -1)}, "__proto__": {}, "constructor": 1, "prototype": null}`,
    );
    expect(Object.entries(Object(faults(alertRuleCreateBodySchema, named)))).toEqual([
      ['__proto__', 'unknown field'],
      ['prototype', 'unknown field'],
      ['constructor', 'unknown field'],
    ]);
    expect(faults(alertRuleCreateBodySchema, [])).toEqual({ '': 'must be a JSON object' });
    expect(faults(alertRuleCreateBodySchema, { ...body, name: '🚦'.repeat(255) })).toMatchObject({
      metric: body.metric,
    });
    expect(faults(alertRuleCreateBodySchema, { ...body, name: '🚦'.repeat(256) })).toHaveProperty('name');
  });

  it('accepts an empty change of an alert rule', () => {
    expect(faults(alertRuleUpdateBodySchema, {})).toEqual({});
    expect(faults(alertRuleUpdateBodySchema, { project_id: null })).toEqual({ project_id: null });
    expect(faults(alertRuleUpdateBodySchema, { name: null })).toEqual({
      name: 'must be a string of 1 to 255 characters',
    });
  });
});

describe('alerts', () => {
  it('lists firing rules as alerts', async () => {
    const alert = {
      alert_rule_id: rule.id,
      name: 'Slow turns',
      project_id: 'PROJECT-1',
      metric: 'turn_latency_p95',
      operator: '>=',
      threshold_value: 3500,
      window_duration: '5m',
      since: '2026-03-02T09:15:00Z',
      last_evaluated_at: '2026-03-02T09:16:00Z',
      current_value: 4120,
    };
    const { project_id: _a, current_value: _b, ...bare } = alert;
    await withServer(
      [
        { status: 200, body: { data: [alert] } },
        { status: 200, body: { data: [bare] } },
      ],
      async ({ alerts }, { seen }) => {
        expect(await alerts.list({ project_id: 'PROJECT-1' })).toEqual([alert]);
        expect(await alerts.list()).toEqual([{ ...alert, project_id: null, current_value: null }]);
        expect(seen.map(({ url }) => url)).toEqual(['/v1/alerts?project_id=PROJECT-1', '/v1/alerts']);
      },
    );
  });
});
