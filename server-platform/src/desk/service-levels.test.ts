import { afterAll, beforeAll, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../db/testing/engines.ts';
import { insertRequest } from './requests.ts';
import { type DeskFixture, startDeskFixture, type TestDesk } from './testing/desk-fixture.ts';

const DAY_MS = 86_400_000;
// 23:30 in London, half past midnight in Berlin.
const START_MS = Date.parse('2026-01-12T23:30:00Z');

let fixture: DeskFixture;
let boss: TestDesk;
let billing = '';
beforeAll(async () => {
  fixture = await startDeskFixture(EMBEDDED_ENGINE);
  boss = await fixture.sitDown('Sue', { role: 'supervisor' });
  billing = await fixture.setQueue('Billing');
  const support = await fixture.setQueue('Support');
  const S = 1_000;
  await add(support, 0, { waited: 10 * S, took: 100 * S });
  await add(support, 1 * S, { waited: 30 * S, took: 300 * S });
  await add(billing, 2 * S, { waited: 90 * S, took: null });
  await add(billing, DAY_MS, { waited: null, took: null });
});
afterAll(() => fixture.stop());

async function add(
  queueId: string,
  atMs: number,
  { waited, took }: { readonly waited: number | null; readonly took: number | null },
): Promise<void> {
  const requestedAtMs = START_MS + atMs;
  const acceptedAtMs = waited === null ? null : requestedAtMs + waited;
  const endedAtMs =
    acceptedAtMs === null ? requestedAtMs + 5_000 : took === null ? null : acceptedAtMs + took;
  await insertRequest(fixture.platform.database, {
    ...{ id: `ho_${queueId}_${atMs}`, accountId: 'ACCOUNT-1', projectId: 'p', conversationId: 'c', queueId },
    ...{ sessionId: 'c0ffee00-0000-4000-8000-000000000000', provider: 'desk', personId: null },
    status: acceptedAtMs === null ? 'abandoned' : endedAtMs === null ? 'accepted' : 'ended',
    ...{ wantedPersonId: null, declined: {}, skills: [], language: null, reason: 'POLICY' },
    ...{ requestedAtMs, offerExpiresAtMs: null, acceptedAtMs, endedAtMs, endReason: null },
    ...{ offerMs: 1, returnMs: 1, position: null, estimatedWaitSeconds: null, unread: 0, tags: [] },
    ...{ version: 0, pending: [] },
  });
}

const span = `from=2026-01-10T00:00:00Z&to=2026-01-20T00:00:00Z`;

it('counts what was answered, in time, and given up: in total, by queue and by day', async () => {
  const { body } = await boss.call(`GET /service-levels?${span}&within_seconds=30`);
  expect(body).toMatchObject({ step: 'day', within_seconds: 30 });
  expect(body['total']).toEqual({
    ...{ requests: 4, answered: 3, answered_in_time: 2, abandoned: 1 },
    ...{ waiting_seconds: 30, waiting_p90_seconds: 78, handling_seconds: 200 },
  });
  expect(body['queues']).toEqual([
    expect.objectContaining({ name: 'Support', requests: 2, answered_in_time: 2, waiting_seconds: 20 }),
    expect.objectContaining({
      name: 'Billing',
      requests: 2,
      answered: 1,
      abandoned: 1,
      handling_seconds: null,
    }),
  ]);
  expect(body['spans']).toEqual([
    expect.objectContaining({ start: '2026-01-12T00:00:00.000Z', requests: 3 }),
    expect.objectContaining({ start: '2026-01-13T00:00:00.000Z', requests: 1, waiting_seconds: null }),
  ]);
});

it('has the days of a time zone, the hours of a short span, and one queue', async () => {
  const berlin = await boss.call(`GET /service-levels?${span}&timezone=Europe/Berlin&queue_id=${billing}`);
  expect(berlin.body).toMatchObject({
    total: { requests: 2 },
    spans: [{ start: '2026-01-12T23:00:00.000Z' }, { start: '2026-01-13T23:00:00.000Z' }],
  });
  const hours = 'from=2026-01-12T12:00:00Z&to=2026-01-13T12:00:00Z';
  expect((await boss.call(`GET /service-levels?${hours}`)).body).toMatchObject({
    step: 'hour',
    spans: [{ start: '2026-01-12T23:00:00.000Z', requests: 3 }],
  });
});

it('refuses what cannot be counted, and agents', async () => {
  const grace = await fixture.sitDown('Grace');
  expect((await grace.call('GET /service-levels')).status).toBe(403);
  for (const query of ['from=x', 'from=2026-01-02&to=2026-01-01', 'within_seconds=0', 'timezone=Moon'])
    expect([query, (await boss.call(`GET /service-levels?${query}`)).status]).toEqual([query, 400]);
  expect((await boss.call('GET /service-levels?queue_id=x')).status).toBe(404);
});
