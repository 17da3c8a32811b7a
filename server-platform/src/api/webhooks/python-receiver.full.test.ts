import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { createSelfSignedCertificate } from '../../../test/api/webhooks/self-signed-certificate.ts';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { addAccount } from '../../accounts/index.ts';
import { createSecretVault } from '../../accounts/tokens/secret-vault.ts';
import { systemClock } from '../../kit/clock.ts';
import { listDeliveries, queueDeliveries } from './deliveries.ts';
import { createWebhookSender } from './send-webhook.ts';
import { WebhookDeliverer } from './webhook-deliverer.ts';
import { addWebhookEndpoint, changeWebhookEndpoint, rotateWebhookSecret } from './webhook-endpoints.ts';

const RECEIVER = fileURLToPath(new URL('../../../test/api/webhooks/receiver.py', import.meta.url));
const EVENT = {
  type: 'alerts.triggered',
  body: JSON.stringify({
    event_type: 'alerts.triggered',
    alert: { id: 'ar_1', name: 'Zu langsam – São Paulo 🚦', project_id: null },
    event_id: 'event-of-the-body',
  }),
} as const;

const isMissing = spawnSync('python3', ['-c', 'import ssl']).status !== 0;

describe('a receiver written with Python’s standard library', () => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  it.skipIf(isMissing)(
    'lets a Python receiver accept only deliveries signed with its secret (WD-4, WD-5)',
    async () => {
      const place = await EMBEDDED_ENGINE.open();
      cleanups.push(() => place.close());
      const { database } = place;
      const vault = createSecretVault([new Uint8Array(32)]);
      const accountId = (await addAccount(database, { slug: 'python' })).id;
      const fields = {
        name: 'Python',
        url: 'https://localhost/',
        isEnabled: true,
        eventTypes: ['alerts.triggered'],
        headers: {},
        timeoutMs: 30_000,
      } as const;
      const added = await addWebhookEndpoint(database, vault, accountId, fields, Date.now());
      if (added === null) throw new Error('no place for the endpoint');
      const { endpoint, secret } = added;

      const folder = await mkdtemp(join(tmpdir(), 'natter-python-'));
      cleanups.push(() => rm(folder, { recursive: true, force: true }));
      const { certificate, key } = createSelfSignedCertificate();
      setDefaultCACertificates([...getCACertificates('default'), certificate]);
      await writeFile(join(folder, 'certificate.pem'), certificate);
      await writeFile(join(folder, 'key.pem'), key);
      const args = [RECEIVER, join(folder, 'certificate.pem'), join(folder, 'key.pem'), secret];
      const python = spawn('python3', args, { stdio: ['ignore', 'pipe', 'inherit'] });
      cleanups.push(() => python.kill());
      const lines = createInterface({ input: python.stdout });
      const nextLine = async (): Promise<unknown> => JSON.parse(String((await once(lines, 'line'))[0]));

      const url = `https://localhost:${await nextLine()}/`;
      await changeWebhookEndpoint(database, accountId, endpoint.id, { url }, Date.now());
      const deliverer = new WebhookDeliverer({
        database,
        vault,
        clock: systemClock,
        send: createWebhookSender({ clock: systemClock, allowsPrivateAddresses: true }),
        node: 'python',
        headerStyle: 'neutral',
        userAgent: 'test',
        onDead: () => {},
        onFailure: () => {},
      });
      cleanups.push(() => deliverer.close());
      const deliver = async (): Promise<unknown> => {
        const line = nextLine();
        await queueDeliveries(database, accountId, EVENT, Date.now());
        deliverer.poll();
        const output = await line;
        await deliverer.idle();
        return output;
      };
      expect(await deliver()).toEqual({
        genuine: true,
        event_id: 'event-of-the-body',
        event_type: 'alerts.triggered',
        name: 'Zu langsam – São Paulo 🚦',
      });
      await rotateWebhookSecret(database, vault, accountId, endpoint.id, Date.now());
      expect(await deliver()).toMatchObject({ genuine: false });
      const outcomes = (await listDeliveries(database, null, 10)).map(({ lastOutcome }) => lastOutcome);
      expect(outcomes.sort()).toEqual(['HTTP 204', 'HTTP 401']);
    },
  );
});
