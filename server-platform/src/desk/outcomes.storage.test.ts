import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeStorage } from '../../test/db/describe-storage.ts';
import { CONVERSATION_START } from '../../test/db/fixtures.ts';
import { type DeskFixture, startDeskFixture, type TestDesk } from '../../test/desk/desk-fixture.ts';
import type { TestSocket } from '../../test/realtime/test-socket.ts';
import { writeConversations } from '../realtime/event-log/index.ts';

type Fields = Readonly<Record<string, unknown>>;

describeStorage('how conversations went', (engine) => {
  let fixture: DeskFixture;
  let grace: TestDesk;
  let boss: TestDesk;
  beforeAll(async () => {
    fixture = await startDeskFixture(engine);
    grace = await fixture.sitDown('Grace');
    boss = await fixture.sitDown('Sue', { role: 'supervisor', isAway: true });
  });
  afterAll(async () => {
    expect(fixture.platform.failures).toEqual([]);
    await fixture.stop();
  });

  const read = async (more = ''): Promise<Fields> => (await boss.call(`GET /service-levels?${more}`)).body;
  const findRequest = async (status: string): Promise<string> => {
    const find = async (): Promise<Fields | undefined> =>
      ((await grace.call('GET /inbox')).body['requests'] as readonly Fields[]).find(
        (each) => each['status'] === status,
      );
    await expect.poll(find).toBeDefined();
    return String((await find())?.['id']);
  };
  const end = async (visitor: TestSocket): Promise<void> => {
    visitor.send('USER_END_SESSION');
    await visitor.next('SESSION_END');
  };
  const ask = (visitor: TestSocket): void => visitor.send('USER_MESSAGE', { text: 'a person, please' });

  it('counts conversations answered by a person, conversations that waited in vain, and conversations of the agent alone', async () => {
    const answered = await fixture.visit();
    ask(answered);
    const id = await findRequest('offered');
    await grace.call(`POST /requests/${id}/accept`);
    await answered.next('LIVE_AGENT_JOINED');
    expect(await read()).toMatchObject({
      total: { answered: 1, first_answer_seconds: null, first_answer_p95_seconds: null },
      outcomes: { ended: 0 },
    });
    await grace.call(`POST /requests/${id}/messages`, { id: 'm1', text: 'Hello.' });
    const { total } = await read();
    expect(total).toMatchObject({ first_answer_seconds: expect.any(Number) });
    fixture.platform.clock.skip(5_000);
    await grace.call(`POST /requests/${id}/messages`, { id: 'm2', text: 'Still here.' });
    expect((await read())['total']).toEqual(total);
    await end(answered);

    const alone = await fixture.visit();
    await end(alone);
    await grace.call('POST /presence', { presence: 'away' });
    const left = await fixture.visit();
    ask(left);
    await findRequest('waiting');
    await end(left);
    const inThreeDays = new Date(fixture.platform.clock.now() + 3 * 86_400_000);
    const day = inThreeDays.toLocaleDateString('en', { weekday: 'short', timeZone: 'UTC' });
    await fixture.setQueue('Support', { hours: `${day.slice(0, 2)} 09:00-17:00` });
    const refused = await fixture.visit();
    ask(refused);
    await refused.next('HANDOFF_FAILED');
    await end(refused);
    await fixture.visit();

    expect((await read())['outcomes']).toEqual({
      ...{ ended: 4, agent_alone: 1, with_person: 1, without_person: 2 },
      transferred: 0,
    });
    const queue = String(((await read())['queues'] as readonly Fields[])[0]?.['id']);
    expect((await read(`queue_id=${queue}`))['outcomes']).toBeNull();
  });

  it('distinguishes conversations taken by another system from those without a person', async () => {
    const { database, clock } = fixture.platform;
    const before = (await read())['outcomes'] as Record<string, number>;
    const atMs = clock.now() - 1_000;
    await writeConversations(database, [
      {
        id: 'transferred',
        start: { ...CONVERSATION_START, atMs },
        handoff: { atMs, reason: 'POLICY', destination: 'elsewhere' },
        end: { atMs, reason: 'handoff' },
      },
      {
        id: 'tried',
        start: { ...CONVERSATION_START, atMs, environment: 'sandbox' },
        end: { atMs, reason: 'user' },
      },
    ]);
    expect((await read())['outcomes']).toEqual({
      ...before,
      ...{ ended: Number(before['ended']) + 1, transferred: 1 },
    });
  });
});
