import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE, type TestDatabase } from '../../../test/db/engines.ts';
import { addAccount } from '../../accounts/index.ts';
import { createSecretVault } from '../../accounts/tokens/secret-vault.ts';
import { claimDeliveries, queueDeliveries, settleDelivery } from './deliveries.ts';
import { WEBHOOK_COMMANDS } from './manage-webhooks.ts';
import { addWebhookEndpoint } from './webhook-endpoints.ts';

const NOW = Date.UTC(2026, 2, 2, 9, 15);
const NO_OPTIONS = { domains: [], apps: [], permissions: [], isLegacy: false };

describe('the commands about webhooks', () => {
  let place: TestDatabase;
  let id = '';
  beforeAll(async () => {
    place = await EMBEDDED_ENGINE.open();
    const { database } = place;
    const account = await addAccount(database, { slug: 'acme' });
    const vault = createSecretVault([new Uint8Array(32)]);
    const fields = {
      name: 'Operations',
      url: 'https://ops.example.com/',
      isEnabled: true,
      eventTypes: ['alerts.triggered'],
      headers: {},
      timeoutMs: 5000,
    } as const;
    expect(await run('list')).toEqual(['There is no delivery.']);
    await addWebhookEndpoint(database, vault, account.id, fields, NOW);
    await queueDeliveries(database, account.id, { type: 'alerts.triggered', body: '{}' }, NOW);
    const [claimed] = await claimDeliveries(database, 'node', NOW, { total: 1, perAccount: 1 });
    if (claimed === undefined) throw new Error('nothing was queued');
    id = claimed.id;
    await settleDelivery(
      database,
      claimed,
      { state: 'dead', outcome: 'HTTP 404' },
      { startedAtMs: NOW, nowMs: NOW + 1000 },
    );
  });
  afterAll(() => place.close());

  const run = async (verb: string, ...words: readonly string[]): Promise<readonly string[]> =>
    (await WEBHOOK_COMMANDS[`webhook ${verb}`]?.run(place.database, words, NO_OPTIONS))?.lines ?? [];

  it('lists abandoned webhook deliveries with the reason (WD-8)', async () => {
    const [line = '', ...more] = await run('list', 'dead');
    expect(more).toEqual([]);
    expect(line.split(/ {2,}/)).toEqual([
      id,
      'acme',
      'dead',
      'alerts.triggered',
      expect.stringMatching(/^Operations \(whe_[A-Za-z0-9]+\)$/),
      '1 of 6',
      'HTTP 404',
      'dead 2026-03-02T09:15:01.000Z',
    ]);
    expect(await run('list')).toEqual([line]);
    expect(await run('list', 'pending')).toEqual(['There is no pending delivery.']);
  });

  it('refuses an unknown state and an unknown delivery', async () => {
    await expect(run('list', 'lost')).rejects.toThrow(
      'There is no state "lost"; there are pending, delivered',
    );
    await expect(run('retry', 'x')).rejects.toThrow('There is no such dead delivery');
    await expect(run('retry')).rejects.toThrow('Usage: natter-platform webhook retry DELIVERY');
  });

  it('restarts a dead webhook delivery once', async () => {
    expect(await run('retry', id)).toEqual([`Restarted the delivery ${id} from its first attempt.`]);
    await expect(run('retry', id)).rejects.toThrow('There is no such dead delivery');
    expect((await run('list', 'pending'))[0]).toContain('0 of 6');
  });
});
