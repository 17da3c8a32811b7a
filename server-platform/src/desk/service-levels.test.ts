import { afterAll, beforeAll, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../test/db/engines.ts';
import { type DeskFixture, startDeskFixture, type TestDesk } from '../../test/desk/desk-fixture.ts';
import { insertRequest } from './requests.ts';

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
  // 20 seconds and a minute after they were asked for.
  await fixture.platform.database.query(
    `UPDATE desk_requests SET first_message_at = requested_at + CASE queue_id WHEN $1::uuid THEN 60000 ELSE 20000 END
      WHERE accepted_at IS NOT NULL AND requested_at <> $2`,
    [billing, START_MS],
  );
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
    ...{ version: 0, pending: [], leftAtMs: null, seenMessageId: null },
  });
}

const span = `from=2026-01-10T00:00:00Z&to=2026-01-20T00:00:00Z`;

it('counts answered, timely and abandoned requests: in total, by queue and by day', async () => {
  const { body } = await boss.call(`GET /service-levels?${span}&within_seconds=30`);
  expect(body).toMatchObject({ step: 'day', within_seconds: 30 });
  expect(body['total']).toEqual({
    ...{ requests: 4, answered: 3, answered_in_time: 2, abandoned: 1 },
    ...{ waiting_seconds: 30, waiting_p90_seconds: 78, handling_seconds: 200 },
    ...{ first_answer_seconds: 40, first_answer_p95_seconds: 58 },
    ...{ scored: 0, score: null },
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

it('uses the days of a time zone, the hours of a short span, and a single queue', async () => {
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

it('refuses invalid service level queries, and agents', async () => {
  const grace = await fixture.sitDown('Grace');
  expect((await grace.call('GET /service-levels')).status).toBe(403);
  for (const query of [
    'from=x',
    'from=2026-01-02&to=2026-01-01',
    'from=2026-01-01&to=2026-04-02',
    'within_seconds=0',
    'from=5',
    'from=2026-02-30',
    'timezone=Moon',
    'timezone=%2B05:30',
    'timezone=IST',
  ])
    expect([query, (await boss.call(`GET /service-levels?${query}`)).status]).toEqual([query, 400]);
  expect((await boss.call('GET /service-levels?queue_id=x')).status).toBe(404);
});
