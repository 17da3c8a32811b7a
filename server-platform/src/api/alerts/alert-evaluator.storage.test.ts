import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import type { TestDatabase } from '../../../test/db/engines.ts';
import { addAccount } from '../../accounts/index.ts';
import type { Sql } from '../../db/index.ts';
import { Scheduler } from '../../jobs/index.ts';
import type { Clock } from '../../kit/clock.ts';
import { AlertEvaluator, type AlertEvaluatorOptions } from './alert-evaluator.ts';
import type { AlertEvent } from './alert-event.ts';
import type { AlertRuleFields, StoredAlertRule } from './alert-rule.ts';
import { addAlertRule, changeAlertRule, findAlertRule, removeAlertRule } from './alert-rules.ts';
import type { MetricReader, MetricScope } from './read-metric.ts';

const START = Date.UTC(2026, 2, 2, 9, 15);
const MINUTE = 60_000;

/** A stopped clock that advances on request and fires due timers. */
function createHeldClock(): Clock & { move(byMs: number): void } {
  let nowMs = START;
  const timers = new Set<{ readonly dueMs: number; readonly callback: () => void }>();
  return {
    now: () => nowMs,
    setTimer(callback, delayMs) {
      const timer = { dueMs: nowMs + delayMs, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    move(byMs) {
      nowMs += byMs;
      for (const timer of [...timers].filter(({ dueMs }) => dueMs <= nowMs)) {
        timers.delete(timer);
        timer.callback();
      }
    },
  };
}

const FIELDS: AlertRuleFields = {
  name: 'Slow turns',
  projectId: null,
  metric: 'turn_latency_p95',
  operator: '>=',
  threshold: 3500,
  window: '10m',
  isEnabled: true,
};

describeStorage('the evaluation of rules', (engine) => {
  let place: TestDatabase;
  let accountId: string;
  let clock: ReturnType<typeof createHeldClock>;
  let value: number | null | Error;
  let scopes: MetricScope[];
  let events: { readonly accountId: string; readonly event: AlertEvent }[];
  let failures: string[];
  beforeAll(async () => {
    place = await engine.open();
  });
  afterAll(() => place.close());
  beforeEach(async () => {
    await place.database.query('DELETE FROM alert_rules');
    accountId = (await addAccount(place.database, { slug: `a${Math.floor(performance.now() * 1000)}` })).id;
    clock = createHeldClock();
    value = 0;
    scopes = [];
    events = [];
    failures = [];
  });

  const readMetric: MetricReader = async (sql, _, scope) => {
    scopes.push(scope);
    // A failed statement breaks its transaction; the rule must be stored nevertheless.
    if (value instanceof Error) await sql.query('SELECT nonsense');
    return value instanceof Error ? null : value;
  };
  const createEvaluator = (over: Partial<AlertEvaluatorOptions> = {}): AlertEvaluator =>
    new AlertEvaluator({
      database: place.database,
      clock,
      scheduler: new Scheduler({ clock, random: () => 0, onFailure: (what) => failures.push(what) }),
      intervalMs: MINUTE,
      emit: async (_sql: Sql, account, event) => {
        events.push({ accountId: account, event });
      },
      onEvaluated: () => {},
      onFailure: (what) => failures.push(what),
      readMetric,
      ...over,
    });
  const addRule = async (fields: Partial<AlertRuleFields> = {}): Promise<StoredAlertRule> => {
    const rule = await place.database.tx((sql) =>
      addAlertRule(sql, accountId, { ...FIELDS, ...fields }, clock.now()),
    );
    if (rule === null) throw new Error('no place for the rule');
    return rule;
  };
  const find = (id: string): Promise<StoredAlertRule | null> => findAlertRule(place.database, accountId, id);
  /** Advances a minute with this value and returns the rule. */
  const pass = async (
    evaluator: AlertEvaluator,
    id: string,
    next: number | null | Error,
  ): Promise<StoredAlertRule | null> => {
    value = next;
    clock.move(MINUTE);
    await evaluator.evaluate();
    return await find(id);
  };

  it('evaluates the window that ends now, once a minute (AL-5)', async () => {
    const rule = await addRule({ window: '5m' });
    const evaluator = createEvaluator();
    evaluator.start();
    clock.move(MINUTE - 1);
    await evaluator.evaluate();
    expect(scopes).toHaveLength(1);
    clock.move(1);
    await evaluator.evaluate();
    clock.move(MINUTE);
    await evaluator.evaluate();
    await evaluator.close();
    const ends = [START + MINUTE - 1, START + 2 * MINUTE];
    expect(scopes).toEqual(
      ends.map((toMs) => ({ accountId, projectId: null, fromMs: toMs - 5 * MINUTE, toMs })),
    );
    expect((await find(rule.id))?.lastEvaluatedAtMs).toBe(START + 2 * MINUTE);
    clock.move(10 * MINUTE);
    expect(scopes).toHaveLength(2);
  });

  it('evaluates rules by its timer alone (AL-5)', async () => {
    await addRule();
    let evaluator = createEvaluator();
    await new Promise<void>((resolve) => {
      evaluator = createEvaluator({ onEvaluated: resolve });
      evaluator.start();
      clock.move(MINUTE);
    });
    await evaluator.close();
    expect(scopes).toHaveLength(1);
  });

  it('notifies once when a rule fires, and once when it is resolved (9.1, WD-2)', async () => {
    const { id } = await addRule();
    const evaluator = createEvaluator();
    expect(await pass(evaluator, id, 3499)).toMatchObject({ status: { state: 'ok' }, currentValue: 3499 });
    expect(await pass(evaluator, id, 4120)).toMatchObject({
      status: { state: 'alert', isIncidentOpen: true },
      currentValue: 4120,
      sinceMs: START + 2 * MINUTE,
      lastEvaluatedAtMs: START + 2 * MINUTE,
    });
    expect(await pass(evaluator, id, 5000)).toMatchObject({ sinceMs: START + 2 * MINUTE });
    expect(await pass(evaluator, id, 2980)).toMatchObject({ status: { state: 'ok', isIncidentOpen: false } });
    const ids = events.map(({ event }) => JSON.parse(event.body).event_id);
    expect(new Set(ids).size).toBe(2);
    expect(events.map(({ event }) => event)).toEqual([
      {
        type: 'alerts.triggered',
        body: `{"event_type":"alerts.triggered","alert":{"id":"${id}","name":"Slow turns","project_id":null,"metric":"turn_latency_p95","operator":">=","threshold_value":3500,"current_value":4120,"previous_state":"ok","triggered_at":"2026-03-02T09:17:00Z"},"event_id":"${ids[0]}"}`,
      },
      {
        type: 'alerts.resolved',
        body: `{"event_type":"alerts.resolved","alert":{"id":"${id}","name":"Slow turns","project_id":null,"metric":"turn_latency_p95","operator":">=","threshold_value":3500,"current_value":2980,"previous_state":"alert","resolved_at":"2026-03-02T09:19:00Z"},"event_id":"${ids[1]}"}`,
      },
    ]);
    expect(events.every((each) => each.accountId === accountId)).toBe(true);
  });

  it('keeps an incident open while there is no data (AL-8)', async () => {
    const { id } = await addRule();
    const evaluator = createEvaluator();
    await pass(evaluator, id, 4000);
    expect(await pass(evaluator, id, null)).toMatchObject({
      status: { state: 'no_data', isIncidentOpen: true },
      currentValue: null,
    });
    await pass(evaluator, id, 4000);
    await pass(evaluator, id, null);
    await pass(evaluator, id, 1);
    expect(events.map(({ event }) => event.type)).toEqual(['alerts.triggered', 'alerts.resolved']);
  });

  it('sets a rule to unknown when its metric cannot be read, and reports that to the operator (AL-9)', async () => {
    const { id } = await addRule();
    const evaluator = createEvaluator();
    expect(await pass(evaluator, id, new Error('unreadable'))).toMatchObject({
      status: { state: 'unknown', isIncidentOpen: false },
      currentValue: null,
      lastEvaluatedAtMs: START + MINUTE,
    });
    expect(failures).toEqual(['read a metric']);
  });

  it("stores neither the rule's state nor the event when one of them fails", async () => {
    const { id } = await addRule();
    const emit = (): Promise<never> => Promise.reject(new Error('no'));
    expect(await pass(createEvaluator({ emit }), id, 4000)).toMatchObject({
      status: { state: 'unknown', isIncidentOpen: false },
      currentValue: null,
    });
    expect(failures).toEqual(['evaluate an alert rule']);
    await pass(createEvaluator(), id, 4000);
    expect(events.map(({ event }) => event.type)).toEqual(['alerts.triggered']);
  });

  it('evaluates every rule although the first one cannot be read, and delays that one (AL-9)', async () => {
    const bad = await addRule();
    const good = [await addRule(), await addRule()];
    // Beyond the exact range of numbers.
    await place.database.query(
      'UPDATE alert_rules SET threshold = 9007199254740993, due_at = 0 WHERE id = $1',
      [bad.id],
    );
    const evaluator = createEvaluator();
    value = 4000;
    clock.move(MINUTE);
    await evaluator.evaluate();
    expect(events).toHaveLength(2);
    for (const { id } of good) expect(await find(id)).toMatchObject({ status: { state: 'alert' } });
    expect(failures).toEqual(['evaluate an alert rule']);
    await evaluator.evaluate();
    expect(failures).toHaveLength(1);
    await place.database.query('UPDATE alert_rules SET threshold = 3500 WHERE id = $1', [bad.id]);
    expect(await find(bad.id)).toMatchObject({ status: { state: 'unknown' } });
    expect(await pass(evaluator, bad.id, 4000)).toMatchObject({ status: { state: 'alert' } });
  });

  it('alternates between accounts, so that one with many rules does not delay the others', async () => {
    await Promise.all([addRule(), addRule(), addRule()]);
    const many = accountId;
    accountId = (await addAccount(place.database, { slug: `b${Math.floor(performance.now() * 1000)}` })).id;
    clock.move(1);
    await addRule();
    clock.move(MINUTE);
    await createEvaluator().evaluate();
    expect(scopes.map((scope) => scope.accountId)).toEqual([many, accountId, many, many]);
  });

  it('ignores disabled and removed rules (AL-10)', async () => {
    const disabled = await addRule({ isEnabled: false });
    const removed = await addRule();
    await removeAlertRule(place.database, accountId, removed.id);
    expect(await pass(createEvaluator(), disabled.id, 4000)).toMatchObject({ lastEvaluatedAtMs: null });
    expect(events).toEqual([]);
  });

  it.each<[string, Partial<AlertRuleFields>]>([
    ['the threshold', { threshold: 1 }],
    ['the metric', { metric: 'call_volume' }],
    ['the operator', { operator: '>' }],
    ['the window', { window: '60m' }],
    ['being enabled', { isEnabled: false }],
  ])('resets a rule without an event when %s changes (AL-10)', async (_, changes) => {
    const { id } = await addRule();
    const evaluator = createEvaluator();
    await pass(evaluator, id, 4000);
    const changed = await place.database.tx((sql) =>
      changeAlertRule(sql, accountId, id, changes, clock.now()),
    );
    expect(changed?.after).toMatchObject({
      ...changes,
      status: { state: 'ok', isIncidentOpen: false },
      lastEvaluatedAtMs: null,
      currentValue: null,
    });
    await pass(evaluator, id, 0);
    expect(events.map(({ event }) => event.type)).toEqual(['alerts.triggered']);
  });

  it("keeps a rule's state when only its name changes, or nothing (AL-10)", async () => {
    const { id } = await addRule();
    await pass(createEvaluator(), id, 4000);
    for (const changes of [{ name: 'Slower' }, {}, { threshold: 3500 }]) {
      await place.database.tx((sql) => changeAlertRule(sql, accountId, id, changes, clock.now()));
    }
    expect(await find(id)).toMatchObject({ name: 'Slower', status: { state: 'alert' }, currentValue: 4000 });
  });

  it('evaluates each rule once on any number of nodes', async () => {
    for (let index = 0; index < 8; index += 1) await addRule();
    value = 4000;
    await Promise.all([createEvaluator().evaluate(), createEvaluator().evaluate()]);
    expect(events).toHaveLength(8);
    expect(failures).toEqual([]);
  });

  it('accepts no rule after it was stopped (AL-3)', async () => {
    const evaluator = createEvaluator();
    const rule = await addRule();
    await evaluator.accept(place.database, rule);
    await evaluator.close();
    await expect(evaluator.accept(place.database, rule)).rejects.toThrow('stopped');
  });
});
