import type { AlertMetric } from '@natter/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeStorage } from '../../test/db/describe-storage.ts';
import { type DeskFixture, startDeskFixture, type TestDesk } from '../../test/desk/desk-fixture.ts';
import { readMetric, scopeOf } from '../api/alerts/read-metric.ts';

const MINUTE_MS = 60_000;

describeStorage('the metrics of the desk', (engine) => {
  let fixture: DeskFixture;
  let grace: TestDesk;
  beforeAll(async () => {
    fixture = await startDeskFixture(engine);
    grace = await fixture.sitDown('Grace', { isAway: true });
  });
  afterAll(() => fixture.stop());

  const read = async (metric: AlertMetric, projectId: string | null = null): Promise<number | null> => {
    const { database, clock } = fixture.platform;
    const scope = scopeOf({ accountId: 'ACCOUNT-1', projectId, window: '5m' }, clock.now());
    return await readMetric(database, metric, scope);
  };

  it('measures the longest wait at the desk, and 0 once it is no longer in the window (AL-11)', async () => {
    const { clock } = fixture.platform;
    expect(await read('desk_wait_time')).toBe(0);
    const visitor = await fixture.visit();
    visitor.send('USER_MESSAGE', { text: 'a person, please' });
    await visitor.next('HANDOFF_ACCEPTED');
    clock.skip(90_000);
    expect(await read('desk_wait_time')).toBeGreaterThanOrEqual(90);
    expect(await read('desk_wait_time', 'PROJECT-elsewhere')).toBe(0);
    const [request] = (await grace.call('GET /inbox')).body['requests'] as readonly { readonly id: string }[];
    expect((await grace.call(`POST /requests/${request?.id}/take`)).status).toBe(200);
    const [taken] = await fixture.platform.database.query<{ seconds: number }>(
      'SELECT ((accepted_at - requested_at) / 1000)::int AS seconds FROM desk_requests',
    );
    clock.skip(MINUTE_MS);
    expect(await read('desk_wait_time')).toBe(taken?.seconds);
    clock.skip(5 * MINUTE_MS);
    expect(await read('desk_wait_time')).toBe(0);
  });

  it('counts people as available while their desk was open in the window, unless they are away (AL-11)', async () => {
    const { clock } = fixture.platform;
    expect(await read('desk_people_available')).toBe(0);
    await grace.call('POST /presence', { presence: 'available' });
    await grace.isSeen();
    expect(await read('desk_people_available')).toBe(1);
    clock.skip(4 * MINUTE_MS);
    expect(await read('desk_people_available')).toBe(1);
    clock.skip(2 * MINUTE_MS);
    expect(await read('desk_people_available')).toBe(0);
    await grace.isSeen();
    expect(await read('desk_people_available')).toBe(1);
    await grace.call('POST /presence', { presence: 'away' });
    expect(await read('desk_people_available')).toBe(0);
  });

  it('counts nobody without an open queue, and has no data while every queue is closed (AL-11)', async () => {
    const { clock } = fixture.platform;
    await fixture.setQueue('Billing');
    await grace.call('POST /presence', { presence: 'available' });
    await grace.isSeen();
    expect(await read('desk_people_available')).toBe(1);
    const day = ['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa'][(new Date(clock.now()).getUTCDay() + 3) % 7];
    const hours = `${day} 09:00-10:00`;
    await fixture.setQueue('Support', { hours });
    expect(await read('desk_people_available')).toBe(0);
    await fixture.setQueue('Billing', { hours });
    expect(await read('desk_people_available')).toBe(null);
  });
});
