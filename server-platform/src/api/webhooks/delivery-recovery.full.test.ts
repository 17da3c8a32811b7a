import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifyWebhook } from '@natter/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import {
  CRASH_MONITORING_KEY,
  createWebhookCrashOptions,
  type WebhookCrashPlace,
} from '../../../test/api/webhooks/webhook-crash-options.ts';
import { startWebhookReceiver, status } from '../../../test/api/webhooks/webhook-receiver.ts';
import { EMBEDDED_ENGINE, type TestEngine } from '../../../test/db/engines.ts';
import { POSTGRES_ENGINE } from '../../../test/db/postgres-engine.ts';
import { createSkippingClock } from '../../../test/realtime/skipping-clock.ts';
import { startPlatform } from '../../app/start-platform.ts';
import { openDatabase } from '../../db/index.ts';

const CHILD = fileURLToPath(new URL('../../../test/api/webhooks/crash-child.ts', import.meta.url));

const ENGINES = [EMBEDDED_ENGINE, POSTGRES_ENGINE].filter(({ skipped }) => skipped === null);

describe.each(ENGINES)('after kill -9 between two attempts on $name', (engine) => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  const createPlace = async ({ databaseUrl }: TestEngine, folder: string): Promise<WebhookCrashPlace> => {
    if (databaseUrl === undefined) return { dataDir: join(folder, 'data') };
    const schema = `natter_crash_${randomUUID().replaceAll('-', '')}`;
    const run = async (statement: string): Promise<void> => {
      const database = await openDatabase({ databaseUrl });
      await database.query(statement);
      await database.close();
    };
    await run(`CREATE SCHEMA ${schema}`);
    cleanups.push(() => run(`DROP SCHEMA ${schema} CASCADE`));
    const url = new URL(databaseUrl);
    url.searchParams.set('options', `-c search_path=${schema}`);
    return { databaseUrl: url.href };
  };

  it('retries after a kill -9 between two attempts, under the same event id (WD-11)', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'natter-webhook-crash-'));
    cleanups.push(() => rm(folder, { recursive: true, force: true }));
    const place = await createPlace(engine, folder);
    const receiver = await startWebhookReceiver();
    cleanups.push(() => receiver.close());
    receiver.answer = status(503);
    await writeFile(join(folder, 'certificate.pem'), receiver.certificate);

    const child = fork(CHILD, [JSON.stringify(place)], {
      execArgv: ['--conditions=@natter/source'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'certificate.pem') },
    });
    cleanups.push(() => child.kill('SIGKILL'));
    const [{ url }] = (await once(child, 'message')) as [{ url: string }];
    const call = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
      const headers = { 'x-api-key': CRASH_MONITORING_KEY, 'Content-Type': 'application/json' };
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const answer = await fetch(`${url}${path}`, init);
      expect(answer.ok).toBe(true);
      return await answer.json();
    };
    const { signing_secret: secret } = await call('POST', '/v1/webhook-endpoints', {
      name: 'Receiver',
      url: `${receiver.url}/hook`,
      event_types: ['alerts.triggered'],
    });
    await call('POST', '/v1/alert-rules', {
      name: 'Always',
      metric: 'call_volume',
      operator: '>=',
      threshold_value: 0,
      window_duration: '5m',
    });
    await receiver.until(1);
    // These queue in the database behind the platform's writes about the attempt.
    await call('GET', '/v1/webhook-endpoints');
    expect((await call('GET', '/v1/alerts'))['data']).toHaveLength(1);
    child.kill('SIGKILL');
    await once(child, 'exit');

    const clock = createSkippingClock();
    const platform = await startPlatform({ ...(await createWebhookCrashOptions(place)), clock });
    cleanups.push(() => platform.close());
    receiver.answer = status(200);
    // Past the first retry after one minute, and past the crashed process's claims.
    clock.skip(61_000);
    await receiver.until(2);
    const [first, second] = receiver.received;
    if (first === undefined || second === undefined) throw new Error('nothing arrived');
    expect(second.headers['x-webhook-event-id']).toBe(first.headers['x-webhook-event-id']);
    expect(second.body).toBe(first.body);
    expect(second.headers['x-webhook-signature']).not.toBe(first.headers['x-webhook-signature']);
    for (const { headers, body } of [first, second]) {
      const nowMs = Number(headers['x-webhook-timestamp']) * 1000;
      expect(await verifyWebhook({ headers, body, secret: String(secret), nowMs })).toMatchObject({
        isValid: true,
        event: { event_type: 'alerts.triggered', alert: { name: 'Always', current_value: 0 } },
      });
    }
  });
});
