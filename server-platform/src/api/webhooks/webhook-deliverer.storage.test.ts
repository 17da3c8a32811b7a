import { randomBytes } from 'node:crypto';
import { verifyWebhook, WEBHOOK_SCHEDULE, type WebhookHeaderStyle } from '@natter/sdk';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  status,
  type WebhookReceiver,
} from '../../../test/api/webhooks/webhook-receiver.ts';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import type { TestDatabase } from '../../../test/db/engines.ts';
import { createSkippingClock, type SkippingClock } from '../../../test/realtime/skipping-clock.ts';
import { addAccount } from '../../accounts/index.ts';
import { createSecretVault } from '../../accounts/tokens/secret-vault.ts';
import {
  claimDeliveries,
  listDeliveries,
  queueDeliveries,
  retryDeadDelivery,
  settleDelivery,
} from './deliveries.ts';
import { createWebhookSender, type SendWebhook } from './send-webhook.ts';
import { WebhookDeliverer } from './webhook-deliverer.ts';
import {
  addWebhookEndpoint,
  changeWebhookEndpoint,
  removeWebhookEndpoint,
  rotateWebhookSecret,
  type WebhookEndpointFields,
} from './webhook-endpoints.ts';

const EVENT = {
  type: 'alerts.triggered',
  body: '{"event_type":"alerts.triggered","alert":{"id":"ar_1"}}',
} as const;
const VAULT = createSecretVault([randomBytes(32)]);
const MINUTE = 60_000;
const ANY = { total: 10, perAccount: 10 };

const header = ({ headers }: ReceivedWebhook, name: string): string => String(headers[name]);

describeStorage('webhook delivery', (engine) => {
  let place: TestDatabase;
  let receiver: WebhookReceiver;
  let clock: SkippingClock;
  let accountId: string;
  let dead: string[];
  let deliverers: WebhookDeliverer[];
  let count = 0;

  beforeAll(async () => {
    place = await engine.open();
    receiver = await startWebhookReceiver();
  });
  afterAll(async () => {
    await receiver.close();
    await place.close();
  });
  beforeEach(async () => {
    count += 1;
    clock = createSkippingClock();
    dead = [];
    deliverers = [];
    receiver.answer = status(200);
    accountId = (await addAccount(place.database, { slug: `a${count}` })).id;
  });
  afterEach(async () => {
    for (const deliverer of deliverers) await deliverer.close();
    await place.database.query('DELETE FROM webhook_endpoints');
  });

  const send: SendWebhook = (request) =>
    createWebhookSender({ clock, allowsPrivateAddresses: true })(request);
  const start = async (
    over: {
      readonly style?: WebhookHeaderStyle;
      readonly node?: string;
      readonly secret?: Uint8Array;
      readonly send?: SendWebhook;
    } = {},
  ): Promise<WebhookDeliverer> => {
    const deliverer = new WebhookDeliverer({
      database: place.database,
      vault: over.secret === undefined ? VAULT : createSecretVault([over.secret]),
      clock,
      send: over.send ?? send,
      node: over.node ?? 'node-a',
      headerStyle: over.style ?? 'neutral',
      userAgent: 'Natter/test',
      onDead: ({ id }, outcome) => dead.push(`${id} ${outcome}`),
      onFailure: () => {},
    });
    deliverers.push(deliverer);
    await deliverer.start();
    return deliverer;
  };
  const addEndpoint = async (
    fields: Partial<WebhookEndpointFields> = {},
  ): Promise<{ readonly id: string; readonly secret: string }> => {
    const added = await addWebhookEndpoint(
      place.database,
      VAULT,
      accountId,
      {
        name: 'Operations',
        url: `${receiver.url}/hook`,
        isEnabled: true,
        eventTypes: ['alerts.triggered', 'alerts.resolved'],
        headers: {},
        timeoutMs: 5000,
        ...fields,
      },
      clock.now(),
    );
    if (added === null) throw new Error('no place for the endpoint');
    return { id: added.endpoint.id, secret: added.secret };
  };
  const queue = async (): Promise<void> => {
    await queueDeliveries(place.database, accountId, EVENT, clock.now());
  };
  /** Returns the deliveries that arrive while `run` runs. */
  const arrivals = async (run: () => Promise<void>): Promise<readonly ReceivedWebhook[]> => {
    const before = receiver.received.length;
    await run();
    return receiver.received.slice(before);
  };
  const passTime = async (deliverer: WebhookDeliverer, byMs: number): Promise<void> => {
    clock.skip(byMs);
    await deliverer.idle();
  };
  const state = async (): Promise<unknown> => {
    const listed = await listDeliveries(place.database, null, 10);
    return listed.map(({ state, attempts, lastOutcome }) => [state, attempts, lastOutcome]);
  };
  const deliver = async (deliverer: WebhookDeliverer): Promise<readonly ReceivedWebhook[]> =>
    await arrivals(async () => {
      await queue();
      deliverer.poll();
      await deliverer.idle();
    });

  it('keeps the latest thousand deliveries of an unresponsive endpoint', async () => {
    const { id } = await addEndpoint();
    await queue();
    await place.database.query(
      `INSERT INTO webhook_deliveries (id, endpoint_id, event_type, body, state, attempts, due_at, created_at)
       SELECT gen_random_uuid(), endpoint_id, event_type, body, state, 0, due_at + 3600000, created_at - n
         FROM webhook_deliveries, generate_series(1, 1200) n WHERE endpoint_id = $1`,
      [id],
    );
    // The operator is notified.
    expect(await queueDeliveries(place.database, accountId, EVENT, clock.now())).toBe(202);
    const states = await place.database.query<{ state: string; many: number }>(
      `SELECT state, count(*)::int AS many FROM webhook_deliveries WHERE endpoint_id = $1 GROUP BY 1 ORDER BY 1`,
      [id],
    );
    expect(states).toEqual([
      { state: 'dropped', many: 202 },
      { state: 'pending', many: 1_000 },
    ]);
  });

  it('counts a delivery that cannot be prepared as an attempt, and blocks no other one', async () => {
    await addEndpoint({ url: `${receiver.url}/broken` });
    await addEndpoint({ url: `${receiver.url}/fine` });
    const deliverer = await start({
      send: (request) => (request.url.endsWith('/broken') ? Promise.reject(new Error('no')) : send(request)),
    });
    expect((await deliver(deliverer)).map(({ path }) => path)).toEqual(['/fine']);
    expect((await state()) as readonly unknown[]).toEqual(
      expect.arrayContaining([
        ['pending', 1, 'could not be prepared'],
        ['delivered', 1, 'HTTP 200'],
      ]),
    );
    for (let attempt = 2; attempt <= 6; attempt += 1) await passTime(deliverer, 4 * 60 * 60_000);
    expect(dead).toHaveLength(1);
  });

  it('does not let deliveries to a disabled endpoint take up slots', async () => {
    const disabled = await addEndpoint({ url: `${receiver.url}/disabled` });
    for (let n = 0; n < 20; n += 1) await queue();
    await place.database.query('UPDATE webhook_endpoints SET enabled = false WHERE id = $1', [disabled.id]);
    await addEndpoint({ url: `${receiver.url}/fine` });
    expect((await deliver(await start())).map(({ path }) => path)).toEqual(['/fine']);
  });

  it('does not let unresponsive receivers delay other accounts', async () => {
    const silent: AbortSignal[] = [];
    const deliverer = await start({
      send: (request) => {
        if (!request.url.endsWith('/silent')) return send(request);
        silent.push(request.signal);
        return new Promise((resolve) =>
          request.signal.addEventListener('abort', () =>
            resolve({ answer: { error: 'network' }, outcome: 'closed' }),
          ),
        );
      },
    });
    for (let n = 0; n < 10; n += 1) await addEndpoint({ url: `${receiver.url}/silent` });
    for (let n = 0; n < 10; n += 1) await queue();
    deliverer.poll();
    await expect.poll(() => silent.length).toBe(4);
    accountId = (await addAccount(place.database, { slug: `c${count}` })).id;
    await addEndpoint({ url: `${receiver.url}/fine` });
    const arrived = receiver.received.length;
    for (let n = 0; n < 6; n += 1) await queue();
    deliverer.poll();
    await expect.poll(() => receiver.received.length - arrived).toBe(6);
    expect(silent).toHaveLength(4);
  });

  it('sends one POST with the same bytes per enabled endpoint that lists the type (WD-1)', async () => {
    await addEndpoint({ url: `${receiver.url}/one` });
    await addEndpoint({ url: `${receiver.url}/two`, eventTypes: ['alerts.triggered'] });
    await addEndpoint({ url: `${receiver.url}/other-type`, eventTypes: ['alerts.resolved'] });
    await addEndpoint({ url: `${receiver.url}/disabled`, isEnabled: false });
    accountId = (await addAccount(place.database, { slug: `b${count}` })).id;
    await addEndpoint({ url: `${receiver.url}/other-account` });
    accountId =
      (
        await place.database.query<{ id: string }>('SELECT id FROM accounts WHERE slug = $1', [`a${count}`])
      )[0]?.id ?? '';
    const arrived = await deliver(await start());
    expect(arrived.map(({ method, path }) => [method, path]).sort()).toEqual([
      ['POST', '/one'],
      ['POST', '/two'],
    ]);
    expect(new Set(arrived.map(({ body }) => body))).toEqual(new Set([EVENT.body]));
    expect(new Set(arrived.map((each) => header(each, 'x-webhook-event-id'))).size).toBe(2);
  });

  it("sends the headers in order, and passes the SDK's verification (WD-3, WD-4)", async () => {
    const { secret } = await addEndpoint({ headers: { 'X-Team': 'ops' } });
    const [arrived] = await deliver(await start());
    if (arrived === undefined) throw new Error('nothing arrived');
    expect(arrived.headerNames.filter((name) => !/^(?:host|content-length|connection)$/i.test(name))).toEqual(
      [
        'Content-Type',
        'X-Webhook-Timestamp',
        'X-Webhook-Signature',
        'X-Webhook-Event-ID',
        'User-Agent',
        'X-Team',
      ],
    );
    expect(arrived.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Natter/test',
      'x-team': 'ops',
    });
    expect(header(arrived, 'x-webhook-signature')).toMatch(/^[0-9a-f]{64}$/);
    expect(header(arrived, 'x-webhook-event-id')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const { headers, body } = arrived;
    expect(await verifyWebhook({ headers, body, secret, nowMs: clock.now() })).toMatchObject({
      isValid: true,
    });
  });

  it.each<[WebhookHeaderStyle, readonly string[]]>([
    ['vendor', ['X-PolyAI-Timestamp', 'X-PolyAI-Signature', 'X-PolyAI-Event-ID']],
    [
      'both',
      [
        ...['X-Webhook-Timestamp', 'X-Webhook-Signature', 'X-Webhook-Event-ID'],
        ...['X-PolyAI-Timestamp', 'X-PolyAI-Signature', 'X-PolyAI-Event-ID'],
      ],
    ],
  ])('sends %s header names where the deployment enables them (WD-3)', async (style, names) => {
    await addEndpoint();
    const [arrived] = await deliver(await start({ style }));
    expect(arrived?.headerNames.filter((name) => name.startsWith('X-'))).toEqual(names);
  });

  it('tries a delivery six times at the contract’s intervals, then abandons and reports it (WD-7, WD-8)', async () => {
    const { secret } = await addEndpoint();
    receiver.answer = status(503);
    const deliverer = await start();
    const arrived = [...(await deliver(deliverer))];
    for (const { delaySeconds } of WEBHOOK_SCHEDULE.slice(1)) {
      // Not a moment before its time.
      const early = await arrivals(() => passTime(deliverer, delaySeconds * 1000 - 10_000));
      expect(early).toEqual([]);
      arrived.push(...(await arrivals(() => passTime(deliverer, 10_000))));
    }
    const late = await arrivals(() => passTime(deliverer, 24 * 60 * MINUTE));
    expect(late).toEqual([]);
    expect(arrived).toHaveLength(6);
    const times = arrived.map((each) => Number(header(each, 'x-webhook-timestamp')));
    const first = times[0] ?? 0;
    const distances = times.map((time) => time - first);
    for (const [index, { sinceFirstSeconds }] of WEBHOOK_SCHEDULE.entries()) {
      // The test's clock advances automatically while deliveries are under way.
      expect(distances[index]).toBeGreaterThanOrEqual(sinceFirstSeconds);
      expect(distances[index]).toBeLessThan(sinceFirstSeconds + 55);
    }
    expect(new Set(arrived.map(({ body }) => body)).size, 'the same bytes (WD-1)').toBe(1);
    expect(new Set(arrived.map((each) => header(each, 'x-webhook-event-id'))).size).toBe(1);
    expect(new Set(arrived.map((each) => header(each, 'x-webhook-signature'))).size, 'signed anew').toBe(6);
    for (const each of arrived) {
      const nowMs = Number(header(each, 'x-webhook-timestamp')) * 1000;
      expect(await verifyWebhook({ ...each, secret, nowMs })).toMatchObject({ isValid: true });
    }
    expect(await state()).toEqual([['dead', 6, 'HTTP 503']]);
    expect(dead).toEqual([`${header(arrived[0] as ReceivedWebhook, 'x-webhook-event-id')} HTTP 503`]);
  });

  it.each([200, 201, 204])('completes a delivery after %i (WD-6)', async (code) => {
    await addEndpoint();
    receiver.answer = status(code);
    await deliver(await start());
    expect(await state()).toEqual([['delivered', 1, `HTTP ${code}`]]);
  });

  it.each([408, 429, 500, 502, 599])(
    'retries a delivery after %i, regardless of Retry-After (WD-8)',
    async (code) => {
      await addEndpoint();
      receiver.answer = status(code, { 'Retry-After': '3600' });
      const deliverer = await start();
      await deliver(deliverer);
      expect(await state()).toEqual([['pending', 1, `HTTP ${code}`]]);
      receiver.answer = status(200);
      expect(await arrivals(() => passTime(deliverer, MINUTE))).toHaveLength(1);
      expect(await state()).toEqual([['delivered', 2, 'HTTP 200']]);
    },
  );

  it.each([301, 302, 307, 308, 400, 401, 404, 410, 422])(
    'gives up a delivery at once after %i (WD-6, WD-8)',
    async (code) => {
      await addEndpoint();
      receiver.answer = status(code, { Location: `${receiver.url}/elsewhere` });
      expect(await deliver(await start())).toHaveLength(1);
      expect(await state()).toEqual([['dead', 1, `HTTP ${code}`]]);
      expect(dead).toHaveLength(1);
    },
  );

  it('retries a delivery after the endpoint’s own timeout (WD-8)', async () => {
    await addEndpoint({ timeoutMs: 1000 });
    receiver.answer = () => clock.skip(1000);
    await deliver(await start());
    expect(await state()).toEqual([['pending', 1, 'timeout (1000 ms)']]);
  });

  it('drops pending attempts when the endpoint is disabled (WD-9)', async () => {
    const { id } = await addEndpoint();
    receiver.answer = status(503);
    const deliverer = await start();
    await deliver(deliverer);
    await changeWebhookEndpoint(place.database, accountId, id, { isEnabled: false }, clock.now());
    await changeWebhookEndpoint(place.database, accountId, id, { isEnabled: true }, clock.now());
    expect(await arrivals(() => passTime(deliverer, MINUTE))).toEqual([]);
    expect(await state()).toEqual([['dropped', 1, 'endpoint disabled']]);
  });

  it('keeps a delivery dropped when the endpoint is disabled during an attempt (WD-9)', async () => {
    const { id } = await addEndpoint();
    const deliverer = await start();
    receiver.answer = async (response) => {
      await changeWebhookEndpoint(place.database, accountId, id, { isEnabled: false }, clock.now());
      status(503)(response);
    };
    await deliver(deliverer);
    expect(await state()).toEqual([['dropped', 0, 'endpoint disabled']]);
  });

  it('drops pending attempts when the endpoint is deleted (WD-9)', async () => {
    const { id } = await addEndpoint();
    receiver.answer = status(503);
    const deliverer = await start();
    await deliver(deliverer);
    await removeWebhookEndpoint(place.database, accountId, id);
    expect(await arrivals(() => passTime(deliverer, MINUTE))).toEqual([]);
    expect(await state()).toEqual([]);
  });

  it('uses the new address, headers and timeout of a changed endpoint (WD-9)', async () => {
    const { id } = await addEndpoint();
    receiver.answer = status(503);
    const deliverer = await start();
    await deliver(deliverer);
    const changes = { url: `${receiver.url}/moved`, headers: { 'X-New': 'yes' }, timeoutMs: 2000 };
    await changeWebhookEndpoint(place.database, accountId, id, changes, clock.now());
    receiver.answer = () => clock.skip(2000);
    const arrived = await arrivals(() => passTime(deliverer, MINUTE));
    expect(arrived).toMatchObject([{ path: '/moved', headers: { 'x-new': 'yes' } }]);
    expect(await state()).toEqual([['pending', 2, 'timeout (2000 ms)']]);
  });

  it('signs with the new secret after a rotation (WE-3)', async () => {
    const { id, secret } = await addEndpoint();
    receiver.answer = status(503);
    const deliverer = await start();
    const before = await deliver(deliverer);
    const rotated = await rotateWebhookSecret(place.database, VAULT, accountId, id, clock.now());
    const fresh = rotated?.secret ?? null;
    const after = await arrivals(() => passTime(deliverer, MINUTE));
    const isValid = async (each: ReceivedWebhook | undefined, key: string | null): Promise<boolean> =>
      each !== undefined &&
      (await verifyWebhook({ ...each, secret: key ?? '', nowMs: clock.now(), toleranceSeconds: 600 }))
        .isValid;
    expect([await isValid(before[0], secret), await isValid(before[0], fresh)]).toEqual([true, false]);
    expect([await isValid(after[0], secret), await isValid(after[0], fresh)]).toEqual([false, true]);
  });

  it('continues after a restart between attempts, with the same event id (WD-11)', async () => {
    await addEndpoint();
    receiver.answer = status(503);
    const first = await start();
    const before = await deliver(first);
    await first.close();
    clock.skip(MINUTE);
    const second = await start();
    const after = await arrivals(() => second.idle());
    expect(after.map((each) => header(each, 'x-webhook-event-id'))).toEqual(
      before.map((each) => header(each, 'x-webhook-event-id')),
    );
  });

  it('repeats an attempt at once after a process of the same name died during it (WD-11)', async () => {
    await addEndpoint();
    await queue();
    const [claimed] = await claimDeliveries(place.database, 'node-a', clock.now(), ANY);
    const deliverer = await start();
    const arrived = await arrivals(() => deliverer.idle());
    expect(arrived.map((each) => header(each, 'x-webhook-event-id'))).toEqual([claimed?.id]);
  });

  it('leaves a claimed attempt to another node until the claim expires (WD-11)', async () => {
    await addEndpoint();
    await queue();
    await claimDeliveries(place.database, 'node-b', clock.now(), ANY);
    const deliverer = await start();
    expect(await arrivals(() => deliverer.idle())).toEqual([]);
    expect(await arrivals(() => passTime(deliverer, MINUTE))).toHaveLength(1);
  });

  it('ignores the outcome of a suspended node after another one has claimed the delivery (WD-11)', async () => {
    const { database } = place;
    await addEndpoint();
    await queue();
    const claim = async (node: string, atMs: number) => {
      const [claimed] = await claimDeliveries(database, node, atMs, ANY);
      if (claimed === undefined) throw new Error('nothing was due');
      return claimed;
    };
    const first = await claim('node-b', clock.now());
    const second = await claim('node-c', clock.now() + 2 * MINUTE);
    const stateOf = async () =>
      (await listDeliveries(database, null, 1)).map(({ state, attempts, lastOutcome }) => [
        state,
        attempts,
        lastOutcome,
      ]);
    const at = () => ({ startedAtMs: clock.now(), nowMs: clock.now() });
    await settleDelivery(database, first, { state: 'dead', outcome: 'late' }, at());
    expect(await stateOf()).toEqual([['pending', 0, null]]);
    await settleDelivery(database, second, { state: 'pending', outcome: 'HTTP 500', dueAtMs: 0 }, at());
    await settleDelivery(database, first, { state: 'dead', outcome: 'late' }, at());
    expect(await stateOf()).toEqual([['pending', 1, 'HTTP 500']]);
  });

  it('removes a delivery a week after its end', async () => {
    await addEndpoint();
    const deliverer = await start();
    await deliver(deliverer);
    await passTime(deliverer, 6 * 24 * 60 * MINUTE);
    expect(await state()).toHaveLength(1);
    await passTime(deliverer, 2 * 24 * 60 * MINUTE);
    expect(await state()).toEqual([]);
  });

  it('sends a delivery once, on any number of nodes', async () => {
    for (let index = 0; index < 5; index += 1) await addEndpoint();
    const [one, two] = [await start(), await start({ node: 'node-b' })];
    const arrived = await arrivals(async () => {
      await queue();
      one.poll();
      two.poll();
      await one.idle();
      await two.idle();
      await one.idle();
    });
    expect(arrived).toHaveLength(5);
  });

  it('does not count an attempt aborted by the shutdown', async () => {
    await addEndpoint();
    const deliverer = await start();
    receiver.answer = () => {
      void deliverer.close();
    };
    await deliver(deliverer);
    await deliverer.close();
    expect(await state()).toEqual([['pending', 0, null]]);
    expect(await claimDeliveries(place.database, 'node-b', clock.now(), ANY)).toHaveLength(1);
  });

  it('keeps a delivery while its secret cannot be decrypted with another key', async () => {
    await addEndpoint();
    expect(await deliver(await start({ secret: randomBytes(32) }))).toEqual([]);
    expect(await state()).toEqual([['pending', 1, 'cannot decrypt the secret: rotate it']]);
  });

  it("restarts a dead delivery from the first attempt at the operator's request", async () => {
    await addEndpoint();
    receiver.answer = status(404);
    const deliverer = await start();
    const [first] = await deliver(deliverer);
    const id = header(first as ReceivedWebhook, 'x-webhook-event-id');
    receiver.answer = status(200);
    expect(await retryDeadDelivery(place.database, id, clock.now())).toBe(true);
    expect(await retryDeadDelivery(place.database, id, clock.now())).toBe(false);
    const again = await arrivals(async () => {
      deliverer.poll();
      await deliverer.idle();
    });
    expect(again.map((each) => header(each, 'x-webhook-event-id'))).toEqual([id]);
    expect(await state()).toEqual([['delivered', 1, 'HTTP 200']]);
  });
});
