import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadVectors } from '../../../../test/load-vectors.ts';
import { EMBEDDED_ENGINE, type TestDatabase } from '../../../test/db/engines.ts';
import { addAccount } from '../../accounts/index.ts';
import { createSecretVault } from '../../accounts/tokens/secret-vault.ts';
import { queueDeliveries } from './deliveries.ts';
import type { WebhookRequest } from './send-webhook.ts';
import { WebhookDeliverer } from './webhook-deliverer.ts';
import { addWebhookEndpoint } from './webhook-endpoints.ts';

interface Vectors {
  readonly sign: readonly {
    readonly name: string;
    readonly secret: string;
    readonly timestamp: string;
    readonly body: string;
    readonly expect: string;
  }[];
}

// A clock yields timestamps in whole seconds only.
const vectors = loadVectors<Vectors>('webhook-signature').sign.filter(({ timestamp }) =>
  /^[0-9]+$/.test(timestamp),
);

describe('what the platform delivers', () => {
  let place: TestDatabase;
  let accountId: string;
  beforeAll(async () => {
    place = await EMBEDDED_ENGINE.open();
    accountId = (await addAccount(place.database, { slug: 'vectors' })).id;
  });
  afterAll(() => place.close());

  it.each(vectors)(
    'signs a webhook as in the vector: $name (WD-4)',
    async ({ secret, timestamp, body, ...vector }) => {
      const { database } = place;
      const vault = createSecretVault([new Uint8Array(32)]);
      const nowMs = Number(timestamp) * 1000;
      const added = await addWebhookEndpoint(
        database,
        // The vector's secret in place of a random one.
        { ...vault, seal: (_, owner) => vault.seal(secret, owner) },
        accountId,
        {
          name: 'vector',
          url: 'https://ops.example.com/',
          isEnabled: true,
          eventTypes: ['alerts.triggered'],
          headers: {},
          timeoutMs: 5000,
        },
        nowMs,
      );
      await queueDeliveries(database, accountId, { type: 'alerts.triggered', body }, nowMs);
      const sent: WebhookRequest[] = [];
      const deliverer = new WebhookDeliverer({
        database,
        vault,
        clock: { now: () => nowMs, setTimer: () => () => {} },
        send: async (request) => {
          sent.push(request);
          return { answer: { status: 200 }, outcome: 'HTTP 200' };
        },
        node: 'vectors',
        headerStyle: 'neutral',
        userAgent: 'test',
        onDead: () => {},
        onFailure: () => {},
      });
      await deliverer.start();
      await deliverer.idle();
      await deliverer.close();
      await database.query('DELETE FROM webhook_endpoints WHERE id = $1', [added?.endpoint.id ?? '']);
      expect(sent).toHaveLength(1);
      expect(sent[0]).toMatchObject({
        body,
        headers: { 'X-Webhook-Timestamp': timestamp, 'X-Webhook-Signature': vector.expect },
      });
    },
  );
});
