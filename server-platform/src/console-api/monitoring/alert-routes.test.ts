import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ConsoleFixture,
  startConsoleFixture,
  type TestPerson,
} from '../../../test/console-api/console-fixture.ts';
import { addAccount } from '../../accounts/index.ts';

const STEP_MS = 10_000;
const HOUR_MS = 3_600_000;
const RULE = {
  ...{ name: 'Nobody comes', metric: 'call_volume', operator: '<', threshold_value: 1 },
  window_duration: '5m',
};

describe('alerts and webhooks in the console', () => {
  let fixture: ConsoleFixture;
  let rita: TestPerson;
  let sue: TestPerson;
  beforeAll(async () => {
    fixture = await startConsoleFixture();
    rita = await fixture.signIn('admin');
    sue = await fixture.signIn('supervisor');
  });
  afterAll(() => fixture.stop());

  /** Calls until the answer is as it is to be; the work continues in the background. */
  const until = async (
    methodAndPath: string,
    isThere: (body: Readonly<Record<string, unknown>>) => boolean,
  ): Promise<Readonly<Record<string, unknown>>> => {
    for (;;) {
      const { body } = await sue.call(methodAndPath);
      if (isThere(body)) return body;
      fixture.rest.clock.skip(STEP_MS);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const first = (list: unknown): Record<string, unknown> => Object((list as readonly unknown[])[0]);
  const receipts = (body: Readonly<Record<string, unknown>>): readonly Record<string, unknown>[] =>
    Object(body['receiver'])['receipts'];
  const countReceipts = async (): Promise<number> =>
    receipts((await sue.call('GET /webhook-receiver')).body).length;

  it('deliver a test to the built-in receiver, which finds the signature genuine', async () => {
    expect((await sue.call('POST /webhook-receiver', { answers: 200 })).status).toBe(403);
    const { body: made } = await rita.call('POST /webhook-receiver', { answers: 200 });
    expect((await rita.call('POST /webhook-receiver', { answers: 200 })).body['error_code']).toBe('EXISTS');
    await rita.call(`POST /webhook-endpoints/${String(made['id'])}/test`, { event_type: 'alerts.triggered' });
    // At once: no time passes here.
    await expect.poll(countReceipts).toBe(1);
    const { body: arrived } = await sue.call('GET /webhook-receiver');
    expect(first(receipts(arrived))).toMatchObject({
      verdict: 'valid',
      status: 200,
      headers: { 'X-Webhook-Signature': expect.any(String) },
      body: expect.stringContaining('"name":"Test from the console"'),
    });
    // It is a separate endpoint, not one that the account manages.
    expect((await sue.call('GET /webhook-endpoints')).body).toEqual({ endpoints: [] });
  });

  it('refuse an endpoint at a private address', async () => {
    const endpoint = { name: 'Inside', event_types: ['alerts.triggered'] };
    const refused = await rita.call('POST /webhook-endpoints', { ...endpoint, url: 'https://10.0.0.1/' });
    expect([refused.status, refused.body['error_message']]).toEqual([400, 'url must be an https URL']);
    const { body: made } = await rita.call('POST /webhook-endpoints', {
      ...endpoint,
      url: 'https://ops.example.com/',
    });
    const path = `/webhook-endpoints/${String(made['id'])}`;
    expect((await rita.call(`PUT ${path}`, { url: 'https://10.0.0.1/' })).status).toBe(400);
    expect((await rita.call(`DELETE ${path}`)).status).toBe(200);
  });

  it('show each attempt with its answer, and send again what came to its end', async () => {
    const list = await until(
      'GET /webhook-deliveries',
      (body) => first(body['deliveries'])['state'] === 'delivered',
    );
    const { id } = first(list['deliveries']);
    expect((await sue.call(`POST /webhook-deliveries/${String(id)}/resend`)).status).toBe(403);
    expect((await rita.call(`POST /webhook-deliveries/${String(id)}/resend`)).status).toBe(200);
    await expect.poll(countReceipts).toBe(2);
    const detail = await until(
      `GET /webhook-deliveries/${String(id)}`,
      (body) => (body['history'] as unknown[]).length > 1,
    );
    expect(detail).toMatchObject({
      state: 'delivered',
      attempts: 1,
      history: [{ outcome: 'HTTP 200' }, { outcome: 'HTTP 200' }],
      body: expect.stringContaining('alerts.triggered'),
    });
    const other = await addAccount(fixture.rest.database, { slug: 'elsewhere' }, fixture.rest.clock.now());
    const eve = await fixture.signIn('admin', other.id);
    expect((await eve.call(`GET /webhook-deliveries/${String(id)}`)).status).toBe(404);
    expect((await eve.call('GET /webhook-deliveries')).body['deliveries']).toEqual([]);
  });

  it('say in which states a rule was, close its incident, and list one whose rule is gone', async () => {
    const refused = await rita.call('POST /alert-rules', { ...RULE, operator: '!=' });
    expect([refused.status, refused.body['error_message']]).toEqual([
      400,
      expect.stringContaining('operator'),
    ]);
    const { body: rule } = await rita.call('POST /alert-rules', RULE);
    const id = String(rule['id']);
    const isFiring = (body: Readonly<Record<string, unknown>>): boolean =>
      first(body['rules'])['current_state'] === 'alert';
    const firing = await until('GET /alert-rules?hours=168', isFiring);
    expect(firing['states']).toMatchObject([{ rule_id: id, state: 'alert', value: 0 }]);
    expect((await rita.call(`POST /alert-rules/${id}/resolve`)).status).toBe(200);
    expect((await rita.call(`POST /alert-rules/${id}/resolve`)).status).toBe(404);

    await until('GET /alert-rules?hours=168', isFiring);
    await rita.call(`PUT /alert-rules/${id}`, { enabled: false });
    const off = await sue.call('GET /alert-rules?hours=168');
    expect((off.body['states'] as { state: string }[]).map(({ state }) => state)).toEqual([
      ...['alert', 'ok', 'alert', 'changed'],
    ]);
    expect(off.body['unresolved']).toMatchObject([{ rule_id: id, name: 'Nobody comes' }]);
    expect((await rita.call(`DELETE /alert-rules/${id}`)).status).toBe(200);
    expect((await rita.call(`POST /alert-rules/${id}/resolve`)).status).toBe(200);
    const { body } = await sue.call('GET /alert-rules');
    expect([body['rules'], body['states'], body['unresolved']]).toEqual([[], [], []]);
  });

  it('keep a receiver for a day', async () => {
    fixture.rest.clock.skip(25 * HOUR_MS);
    // No sign-in lasts that long.
    sue = await fixture.signIn('supervisor');
    await until('GET /webhook-receiver', (body) => body['receiver'] === null);
  });
});
