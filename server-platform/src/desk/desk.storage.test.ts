import { EventSourceParserStream } from 'eventsource-parser/stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeStorage } from '../../test/db/describe-storage.ts';
import { EMBEDDED_ENGINE } from '../../test/db/engines.ts';
import { type DeskFixture, startDeskFixture, type TestDesk } from '../../test/desk/desk-fixture.ts';
import type { TestSession } from '../../test/realtime/test-platform.ts';
import { type TestSocket, typesOf } from '../../test/realtime/test-socket.ts';
import { COMMANDS } from '../app/commands.ts';
import { viewPeoplePart } from './api/people-part.ts';

type Fields = Readonly<Record<string, unknown>>;

const requestsOf = async (desk: TestDesk): Promise<readonly Fields[]> =>
  (await desk.call('GET /inbox')).body['requests'] as readonly Fields[];

/** Asks for a person, and resolves with the request as the desk sees it. */
async function askForPerson(visitor: TestSocket, desk: TestDesk, status = 'offered'): Promise<string> {
  visitor.send('USER_MESSAGE', { text: 'a person, please' });
  await expect.poll(async () => (await requestsOf(desk)).map((each) => each['status'])).toContain(status);
  return String((await requestsOf(desk))[0]?.['id']);
}

/** The data that the visitor reads of themselves. */
async function readOwnData(url: string, { sessionId, accessToken }: TestSession): Promise<unknown> {
  const headers = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' };
  const answer = await fetch(`${url}/api/v1/sessions/${sessionId}/data`, {
    ...{ method: 'POST', headers, body: '{}' },
  });
  return await answer.json();
}

const live = (socket: TestSocket): readonly string[] =>
  typesOf(socket.events).filter((type) => /HANDOFF_|LIVE_|AGENT_JOINED|SESSION_END/.test(type));

describeStorage('the desk', (engine) => {
  let fixture: DeskFixture;
  let grace: TestDesk;
  beforeEach(async () => {
    fixture = await startDeskFixture(engine);
    grace = await fixture.sitDown('Grace');
  });
  afterEach(async () => {
    expect(fixture.platform.failures).toEqual([]);
    await fixture.stop();
  });

  it('serves present visitors before absent ones, and drops the latter after a while', async () => {
    await grace.call('POST /presence', { presence: 'away' });
    const { clock, database } = fixture.platform;
    const first = await fixture.visit();
    await askForPerson(first, grace, 'waiting');
    const second = await fixture.visit();
    second.send('USER_MESSAGE', { text: 'a person, please' });
    const placeOf = async (socket: TestSocket): Promise<unknown> =>
      socket.events.findLast(({ type }) => type.endsWith('HANDOFF_QUEUE_STATUS'))?.payload[
        'position_in_queue'
      ];
    await expect.poll(() => placeOf(second)).toBe(2);
    await first.close();
    const passTime = async (ms: number): Promise<void> => {
      clock.skip(ms);
      await database.query('UPDATE desk_people SET seen_at = $1', [clock.now()]);
      await fixture.desk.sweep();
    };
    await expect
      .poll(async () => {
        await passTime(0);
        return (await requestsOf(grace)).map((each) => each['left_at'] !== null);
      })
      .toEqual([true, false]);
    await passTime(10_000);
    await expect.poll(() => placeOf(second)).toBe(1);
    expect((await requestsOf(grace)).map((each) => each['left_at'] !== null)).toEqual([false, true]);
    await passTime(170_000);
    expect((await requestsOf(grace)).map((each) => each['position'])).toEqual([1]);
  });

  it('shows visitors as present, idle or gone, also during conversations, and lists absent ones last', async () => {
    const { clock, database } = fixture.platform;
    const talk = async (): Promise<string> => {
      const offered = (await requestsOf(grace)).find(({ status }) => status === 'offered');
      await grace.call(`POST /requests/${offered?.['id']}/accept`);
      return String(offered?.['id']);
    };
    const seen = async (): Promise<readonly unknown[]> => {
      await database.query('UPDATE desk_people SET seen_at = $1', [clock.now()]);
      await fixture.desk.sweep();
      return (await requestsOf(grace)).map((each) => [each['id'], each['visitor'], each['visitor_since']]);
    };
    const { socket: first, ...session } = await fixture.platform.converse();
    await askForPerson(first, grace);
    const leaver = await talk();
    const second = await fixture.visit();
    await askForPerson(second, grace);
    const stayer = await talk();
    expect(await seen()).toEqual([
      [leaver, 'here', null],
      [stayer, 'here', null],
    ]);
    await first.close();
    await expect
      .poll(
        async () => (await seen()) && (await requestsOf(grace)).find(({ id }) => id === leaver)?.['left_at'],
      )
      .not.toBeNull();
    clock.skip(10_000);
    expect(await seen()).toEqual([
      [stayer, 'here', null],
      [leaver, 'gone', expect.any(String)],
    ]);
    // The visitor can read it too.
    expect(await readOwnData(fixture.platform.url, session)).toMatchObject({
      left_page_at: expect.any(String),
    });
    clock.skip(150_000);
    expect(await seen()).toEqual([
      [stayer, 'idle', expect.any(String)],
      [leaver, 'gone', expect.any(String)],
    ]);
    // The next heartbeat counts at once.
    second.send('HEARTBEAT');
    await second.next('HEARTBEAT');
    await expect.poll(async () => (await seen())[0]).toEqual([stayer, 'here', null]);
    // Who comes back has sent none yet.
    await fixture.platform.connect(session);
    await expect.poll(seen).toEqual([
      [leaver, 'here', null],
      [stayer, 'here', null],
    ]);
  });

  it('keeps a transferred conversation of an absent visitor as long as any waiting one', async () => {
    const { clock, database } = fixture.platform;
    const visitor = await fixture.visit();
    const id = await askForPerson(visitor, grace);
    await grace.call(`POST /requests/${id}/accept`);
    await visitor.close();
    await expect
      .poll(async () => (await fixture.desk.sweep()) ?? (await requestsOf(grace))[0]?.['left_at'])
      .not.toBeNull();
    clock.skip(180_000);
    await database.query('UPDATE desk_people SET seen_at = $1', [clock.now()]);
    const queueId = await fixture.setQueue('Lost property');
    await grace.call(`POST /requests/${id}/transfer`, { queue_id: queueId });
    const statusOf = async () =>
      (await database.query<Fields>('SELECT status FROM desk_requests WHERE id = $1', [id]))[0]?.['status'];
    expect(await statusOf()).toBe('waiting');
    clock.skip(180_000);
    await fixture.desk.sweep();
    expect(await statusOf()).toBe('abandoned');
  });

  it('limits the waiting requests sent to a desk', async () => {
    await grace.call('POST /presence', { presence: 'away' });
    await askForPerson(await fixture.visit(), grace, 'waiting');
    await fixture.platform.database.query(
      `INSERT INTO desk_requests (id, account_id, project_id, session_id, conversation_id, provider, queue_id, status,
         reason, requested_at, offer_ms, return_ms)
       SELECT r.id || n, account_id, project_id, gen_random_uuid(), conversation_id || n, provider, queue_id, status,
         reason, requested_at + n, offer_ms, return_ms FROM desk_requests r, generate_series(1, 400) n`,
    );
    const inbox = (await grace.call('GET /inbox')).body as { readonly requests: readonly object[] } & Fields;
    expect(inbox.requests).toHaveLength(100);
    expect(inbox['queues']).toMatchObject([{ waiting: 401 }]);
    expect(JSON.stringify(inbox).length).toBeLessThan(65_536);
  });

  it('refuses a handoff while a thousand of the account wait, and the agent continues', async () => {
    await grace.call('POST /presence', { presence: 'away' });
    await askForPerson(await fixture.visit(), grace, 'waiting');
    await fixture.platform.database.query(
      `INSERT INTO desk_requests (id, account_id, project_id, session_id, conversation_id, provider, queue_id, status,
         reason, requested_at, offer_ms, return_ms)
       SELECT r.id || n, account_id, project_id, gen_random_uuid(), conversation_id || n, provider, queue_id, status,
         reason, requested_at + n, offer_ms, return_ms FROM desk_requests r, generate_series(1, 999) n`,
    );
    const visitor = await fixture.visit();
    visitor.send('USER_MESSAGE', { text: 'a person, please' });
    await visitor.next('HANDOFF_FAILED');
    visitor.send('USER_MESSAGE', { text: 'Then you.' });
    await visitor.next(({ payload }) => payload['text'] === 'You said: Then you.');
    // The operator reads why.
    const failures = fixture.platform.failures as string[];
    expect(failures.splice(0)).toEqual([expect.stringContaining('1000 requests that wait')]);
  });

  it('runs a conversation: offer, accept, messages in both directions, return to the agent', async () => {
    const visitor = await fixture.visit();
    const id = await askForPerson(visitor, grace);
    expect((await visitor.next('HANDOFF_QUEUE_STATUS')).payload).toMatchObject({
      queue_name: 'Support',
      position_in_queue: 1,
    });
    expect((await grace.call(`POST /requests/${id}/accept`)).status).toBe(200);
    expect((await visitor.next('LIVE_AGENT_JOINED')).payload).toEqual({
      agent: { id: grace.id, name: 'Grace' },
    });
    const message = { id: 'm1', text: 'Hello, I am Grace.' };
    const sent = await grace.call(`POST /requests/${id}/messages`, message);
    const again = await grace.call(`POST /requests/${id}/messages`, message);
    expect([sent.status, again.body]).toEqual([200, sent.body]);
    expect((await visitor.next('LIVE_AGENT_MESSAGE')).payload).toMatchObject({
      message_id: sent.body['message_id'],
      text: 'Hello, I am Grace.',
    });
    await grace.call(`POST /requests/${id}/typing`, { state: 'started' });
    expect((await visitor.next('LIVE_AGENT_TYPING')).payload).toMatchObject({
      state: 'TYPING_STATE_STARTED',
    });
    visitor.send('USER_MESSAGE', { text: 'my order, please' });
    await expect.poll(async () => (await requestsOf(grace))[0]?.['unread']).toBe(1);
    expect((await grace.call(`GET /requests/${id}`)).body).toMatchObject({
      state: { order: 7 },
      survey: null,
    });
    await grace.call(`POST /requests/${id}/return`, { summary: 'Order 7 is refunded.' });
    await visitor.next('LIVE_AGENT_LEFT');
    await visitor.next('AGENT_JOINED');
    visitor.send('USER_MESSAGE', { text: 'thank you' });
    await visitor.next(({ payload }) => payload['text'] === 'You said: thank you');
    expect(live(visitor)).toEqual([
      'AGENT_JOINED',
      'HANDOFF_ACCEPTED',
      'HANDOFF_QUEUE_STATUS',
      'LIVE_AGENT_JOINED',
      'LIVE_AGENT_MESSAGE',
      'LIVE_AGENT_TYPING',
      'LIVE_AGENT_LEFT',
      'AGENT_JOINED',
    ]);
    expect(await requestsOf(grace)).toEqual([]);
    // The console's transcript: what no turn holds, with notes and tags.
    await grace.call(`POST /requests/${id}/notes`, { text: 'order is late' });
    await grace.call(`PUT /requests/${id}/tags`, { tags: ['order'] });
    const { database, log } = fixture.platform;
    const [row] = await database.query<{ session_id: string; account_id: string }>(
      'SELECT session_id, account_id FROM desk_requests WHERE id = $1',
      [id],
    );
    const where = { accountId: row?.account_id ?? '', sessionId: row?.session_id ?? '' };
    const part = await viewPeoplePart({ database, log }, { ...where, mayRead: true });
    expect(part.entries.map(({ type, payload }) => [type, payload['text']])).toEqual([
      ['AGENT_TRIGGERED_HANDOFF', undefined],
      ['AGENT_LEFT', undefined],
      ['HANDOFF_ACCEPTED', undefined],
      ['LIVE_AGENT_JOINED', undefined],
      ['LIVE_AGENT_MESSAGE', 'Hello, I am Grace.'],
      ['USER_MESSAGE', 'my order, please'],
      ['LIVE_AGENT_LEFT', undefined],
      ['AGENT_JOINED', undefined],
    ]);
    expect(part).toMatchObject({
      is_cut: false,
      notes: [
        { person_name: 'Grace', text: 'Order 7 is refunded.' },
        { person_name: 'Grace', text: 'order is late' },
      ],
      requests: [{ id, person_name: 'Grace', queue_name: 'Support', tags: ['order'] }],
    });
    const hidden = await viewPeoplePart({ database, log }, { ...where, mayRead: false });
    expect([hidden.entries, hidden.notes.length]).toEqual([[], 2]);
    // The agent has it in its state, and the visitor was not shown it.
    const [session] = await database.query<{ state: unknown }>(
      'SELECT agent_state AS state FROM sessions WHERE id = $1',
      [where.sessionId],
    );
    expect(session?.state).toMatchObject({ order: 7, handoff_summary: 'Order 7 is refunded.' });
    expect(JSON.stringify(visitor.events)).not.toContain('refunded');
  });

  it('passes a declined or unanswered offer on to the next person', async () => {
    const ben = await fixture.sitDown('Ben');
    const visitor = await fixture.visit();
    visitor.send('USER_MESSAGE', { text: 'a person, please' });
    await visitor.next('HANDOFF_QUEUE_STATUS');
    const [first, second] = (await requestsOf(grace)).length === 1 ? [grace, ben] : [ben, grace];
    const id = String((await requestsOf(first))[0]?.['id']);
    expect((await second.call(`POST /requests/${id}/accept`)).body['error_code']).toBe('TOO_LATE');
    await first.call(`POST /requests/${id}/decline`);
    expect((await requestsOf(second)).map((each) => each['status'])).toEqual(['offered']);
    fixture.platform.clock.skip(31_000);
    for (const desk of [grace, ben]) await desk.isSeen();
    await fixture.desk.sweep();
    // The first one declined less than a minute ago.
    expect((await requestsOf(second)).map((each) => each['status'])).toEqual(['waiting']);
    fixture.platform.clock.skip(31_000);
    for (const desk of [grace, ben]) await desk.isSeen();
    await fixture.desk.sweep();
    expect((await requestsOf(first)).map((each) => each['status'])).toEqual(['offered']);
  });

  it('keeps a conversation for a disconnected person, then offers it to the next', async () => {
    const visitor = await fixture.visit();
    const id = await askForPerson(visitor, grace);
    await grace.call(`POST /requests/${id}/accept`);
    await visitor.next('LIVE_AGENT_JOINED');
    fixture.platform.clock.skip(100_000);
    await fixture.desk.sweep();
    expect((await requestsOf(grace)).map((each) => each['status'])).toEqual(['accepted']);
    const ben = await fixture.sitDown('Ben');
    fixture.platform.clock.skip(21_000);
    await ben.isSeen();
    await fixture.desk.sweep();
    expect((await visitor.next('LIVE_AGENT_LEFT')).payload).toMatchObject({
      agent_name: 'Grace',
      reason: 'away',
    });
    expect((await ben.call(`POST /requests/${id}/accept`)).status).toBe(200);
    expect((await visitor.next('LIVE_AGENT_JOINED')).payload).toMatchObject({ agent: { name: 'Ben' } });
    const late = await grace.call(`POST /requests/${id}/messages`, { id: 'm1', text: 'back again' });
    expect([late.status, late.body['error_code']]).toEqual([404, 'NOT_FOUND']);
  });

  it('transfers to a queue and to a person, and a supervisor takes over', async () => {
    const billing = await fixture.setQueue('Billing');
    const ben = await fixture.sitDown('Ben', { queueIds: [billing] });
    const boss = await fixture.sitDown('Sue', { role: 'supervisor', queueIds: [], isAway: true });
    const visitor = await fixture.visit();
    const id = await askForPerson(visitor, grace);
    await grace.call(`POST /requests/${id}/accept`);
    await grace.call(`POST /requests/${id}/transfer`, { queue_id: billing, note: 'wants an invoice' });
    expect((await visitor.next('LIVE_AGENT_LEFT')).payload).toMatchObject({
      reason: 'transferred',
      next_name: 'Billing',
    });
    await visitor.next(({ payload }) => payload['queue_name'] === 'Billing');
    await ben.call(`POST /requests/${id}/accept`);
    expect((await ben.call(`GET /requests/${id}`)).body['notes']).toMatchObject([
      { person_name: 'Grace', text: 'wants an invoice' },
    ]);
    await ben.call(`POST /requests/${id}/transfer`, { person_id: grace.id });
    expect((await requestsOf(grace)).map((each) => each['status'])).toEqual(['offered']);
    await grace.call(`POST /requests/${id}/accept`);
    expect((await ben.call(`POST /requests/${id}/take`)).status).toBe(404);
    expect((await boss.call(`POST /requests/${id}/take`)).status).toBe(200);
    await visitor.next(({ payload }) => payload['reason'] === 'taken_over');
    await boss.call(`POST /requests/${id}/end`);
    expect((await visitor.next('SESSION_END')).payload).toEqual({ reason: 'REASON_NATURAL_END' });
  });

  it('gives a request to one of two people who take it at the same time', async () => {
    const visitor = await fixture.visit();
    await grace.call('POST /presence', { presence: 'away' });
    const ben = await fixture.sitDown('Ben', { isAway: true });
    const id = await askForPerson(visitor, grace, 'waiting');
    const answers = await Promise.all([grace, ben].map((desk) => desk.call(`POST /requests/${id}/take`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await visitor.next('LIVE_AGENT_JOINED');
  });

  it('delivers undelivered events to the session after a restart, once', async () => {
    const visitor = await fixture.visit();
    const id = await askForPerson(visitor, grace);
    await fixture.platform.database.query(
      `UPDATE desk_requests SET pending = '[{"id":"x:1","event":{"type":"accepted","queue_name":"again"}},
         {"id":"x:1","event":{"type":"accepted","queue_name":"again"}}]'::jsonb WHERE id = $1`,
      [id],
    );
    await fixture.desk.sweep();
    await grace.call(`POST /requests/${id}/accept`);
    await visitor.next('LIVE_AGENT_JOINED');
    const queues = visitor.events.filter(({ type }) => type === 'EVENT_TYPE_HANDOFF_ACCEPTED');
    expect(queues.map(({ payload }) => payload['queue_name'])).toEqual(['Support', 'again']);
  });
});

describe('the desk', () => {
  let fixture: DeskFixture;
  const start = async (connector: Parameters<typeof startDeskFixture>[1] = {}): Promise<void> => {
    fixture = await startDeskFixture(EMBEDDED_ENGINE, connector);
  };
  afterEach(() => fixture.stop());

  it.each([
    ['rejoin', ['HANDOFF_TIMEOUT', 'AGENT_JOINED']],
    ['stay', ['HANDOFF_TIMEOUT']],
    ['end', ['HANDOFF_TIMEOUT', 'SESSION_END']],
  ] as const)('that lets a visitor wait too long: %s (8.5)', async (onHandoffFailure, expected) => {
    await start({ onHandoffFailure, handoffTimeoutMs: 60_000 });
    const boss = await fixture.sitDown('Sue', { role: 'supervisor', isAway: true });
    const visitor = await fixture.visit();
    await askForPerson(visitor, boss, 'waiting');
    fixture.platform.clock.skip(60_000);
    await visitor.next(expected[expected.length - 1] ?? 'HANDOFF_TIMEOUT');
    expect(live(visitor).slice(-expected.length)).toEqual(expected);
    await expect.poll(() => requestsOf(boss)).toEqual([]);
  });

  it('announces its opening when closed, and fails the handoff', async () => {
    await start();
    await fixture.setQueue('Support', { hours: 'Mo 00:00-00:01', timezone: 'Pacific/Kiritimati' });
    const visitor = await fixture.visit();
    visitor.send('USER_MESSAGE', { text: 'a person, please' });
    expect((await visitor.next('SYSTEM_MESSAGE')).payload).toEqual({
      level: 'SYSTEM_MESSAGE_LEVEL_INFO',
      message: 'Our team is available Monday 00:00–00:01 (Line Islands Time).',
    });
    expect((await visitor.next('HANDOFF_FAILED')).payload).toEqual({ reason: 'closed' });
    await visitor.next('AGENT_JOINED');
  });

  it('removes the request of a visitor who leaves or withdraws', async () => {
    await start();
    const grace = await fixture.sitDown('Grace');
    const visitor = await fixture.visit();
    await askForPerson(visitor, grace);
    visitor.send('USER_END_SESSION');
    await expect.poll(() => requestsOf(grace)).toEqual([]);
  });

  it('streams the transcript after a cursor, inbox changes, and typing', async () => {
    await start();
    const grace = await fixture.sitDown('Grace');
    const visitor = await fixture.visit();
    const id = await askForPerson(visitor, grace);
    await grace.call(`POST /requests/${id}/accept`);
    const open = async (headers = {}) => {
      const answer = await grace.fetch(`GET /stream?request_id=${id}`, undefined, headers);
      const reader = answer.body
        ?.pipeThrough(new TextDecoderStream() as never)
        .pipeThrough(new EventSourceParserStream())
        .getReader();
      return {
        async next(event: 'entry' | 'inbox' | 'typing', fits: (data: Fields) => boolean = () => true) {
          for (;;) {
            const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
            if (done || value === undefined) throw new Error(`The stream ended before ${event}.`);
            const data = JSON.parse(value.data) as Fields;
            if (value.event === event && fits(data)) return { id: value.id, data };
          }
        },
        cancel: () => reader?.cancel(),
      };
    };
    const stream = await open();
    const joined = await stream.next('entry', (data) => data['type'] === 'LIVE_AGENT_JOINED');
    visitor.send('USER_TYPING', { state: 'TYPING_STATE_STARTED' });
    expect((await stream.next('typing')).data).toEqual({ is_typing: true });
    visitor.send('USER_MESSAGE', { text: 'are you there?' });
    expect((await stream.next('entry')).data).toMatchObject({ payload: { text: 'are you there?' } });
    await stream.next('inbox', ({ requests }) => (requests as readonly Fields[])[0]?.['unread'] === 1);
    await stream.cancel();
    const back = await open({ 'Last-Event-ID': joined.id ?? '' });
    expect((await back.next('entry')).data).toMatchObject({ payload: { text: 'are you there?' } });
    await back.cancel();
  });

  it('shows the last message that the visitor has seen, if their client reports it (TBD-3)', async () => {
    await start({ hasReceipts: true });
    const grace = await fixture.sitDown('Grace');
    const visitor = await fixture.visit();
    expect(visitor.events[0]?.payload['capabilities']).toMatchObject({
      extensions: expect.arrayContaining(['receipts']),
    });
    const id = await askForPerson(visitor, grace);
    await grace.call(`POST /requests/${id}/accept`);
    await visitor.next('LIVE_AGENT_JOINED');
    const { body } = await grace.call(`POST /requests/${id}/messages`, { id: 'a', text: 'Hello!' });
    const seen = async (): Promise<unknown> => (await requestsOf(grace))[0]?.['seen_message_id'];
    expect(await seen()).toBeNull();
    visitor.send('USER_READ_MESSAGE', { message_id: '<b>\u0000' });
    visitor.send('USER_READ_MESSAGE', { message_id: body['message_id'] });
    await expect.poll(seen).toBe(body['message_id']);
    await grace.call(`PUT /requests/${id}/tags`, { tags: ['kept'] });
    await grace.call(`POST /requests/${id}/messages`, { id: 'b', text: 'Still there?' });
    expect(await seen()).toBe(body['message_id']);
  });

  it("closes a person's oldest stream with a reason when a sixth opens, but no one else's", async () => {
    await start();
    const [grace, ben] = [await fixture.sitDown('Grace'), await fixture.sitDown('Ben')];
    const open = async (desk: TestDesk) => (await desk.fetch('GET /stream')).body?.getReader();
    const readers = [await open(ben)];
    const first = await grace.fetch('GET /stream');
    for (let stream = 2; stream <= 6; stream += 1) readers.push(await open(grace));
    expect(await first.text()).toMatch(/event: closed\ndata: {"reason":"too_many_streams"}\n\n$/);
    for (const reader of readers) {
      expect((await reader?.read())?.done).toBe(false);
      await reader?.cancel();
    }
  });

  it('removes the requests and notes of an erased session', async () => {
    await start();
    const { database } = fixture.platform;
    const grace = await fixture.sitDown('Grace');
    const { socket, sessionId } = await fixture.platform.converse();
    const id = await askForPerson(socket, grace);
    await grace.call(`POST /requests/${id}/notes`, { text: 'private' });
    const erased = await COMMANDS['erase session']?.run(database, ['a', 'p', sessionId], {
      ...{ domains: [], apps: [], permissions: [], isLegacy: false, audio: undefined },
    });
    expect(erased?.lines).toEqual(expect.arrayContaining(['  desk_requests 1', '  desk_notes 1']));
    expect(await database.query('SELECT * FROM desk_requests')).toEqual([]);
  });

  it('stores notes, tags and canned replies', async () => {
    await start();
    const boss = await fixture.sitDown('Sue', { role: 'supervisor' });
    const visitor = await fixture.visit();
    const id = await askForPerson(visitor, boss);
    await boss.call('POST /replies', { name: 'greeting', text: 'Order {{state.order}}: I am {{person}}.' });
    expect((await boss.call(`GET /replies?request_id=${id}`)).body).toMatchObject({
      replies: [{ name: 'greeting', text: 'Order 7: I am Sue.' }],
    });
    await boss.call(`POST /requests/${id}/notes`, { text: 'calls back tomorrow' });
    const halved = await boss.call(`PUT /requests/${id}/tags`, { tags: ['half \ud800'] });
    expect(halved.status).toBe(200);
    await boss.call(`PUT /requests/${id}/tags`, { tags: ['refund'] });
    expect((await boss.call(`GET /requests/${id}`)).body).toMatchObject({
      notes: [{ person_name: 'Sue', text: 'calls back tomorrow' }],
      request: { tags: ['refund'] },
    });
  });

  it('canned replies are changed, and those in the language of the conversation replace the others', async () => {
    await start();
    const boss = await fixture.sitDown('Sue', { role: 'supervisor' });
    const grace = await fixture.sitDown('Grace', { isAway: true });
    const visitor = await fixture.visit();
    const id = await askForPerson(visitor, boss);
    const { database } = fixture.platform;
    const add = async (body: object): Promise<string> =>
      String((await boss.call('POST /replies', body)).body['id']);
    await add({ name: 'Bye', text: 'Bye.' });
    const german = await add({ name: 'Bye', text: 'Tschuss.', language: 'de' });
    await add({ name: 'Merci', text: 'Merci.', language: 'fr' });
    const read = async (path = `/replies?request_id=${id}`): Promise<readonly unknown[]> =>
      ((await boss.call(`GET ${path}`)).body['replies'] as readonly Record<string, unknown>[]).map(
        ({ name, text, language }) => [name, text, language],
      );
    expect(await read()).toEqual([
      ['Bye', 'Bye.', null],
      ['Bye', 'Tschuss.', 'de'],
      ['Merci', 'Merci.', 'fr'],
    ]);
    await database.query(`UPDATE desk_requests SET language = 'de-AT' WHERE id = $1`, [id]);
    expect(await read()).toEqual([['Bye', 'Tschuss.', 'de']]);
    const changed = { name: 'Bye', text: 'Tschüss, {name|bis bald}!', language: 'de' };
    expect((await grace.call(`PUT /replies/${german}`, changed)).status).toBe(403);
    expect((await boss.call(`PUT /replies/${german}`, changed)).status).toBe(200);
    expect(await read()).toEqual([['Bye', 'Tschüss, bis bald!', 'de']]);
    expect((await read('/replies')).at(1)).toEqual(['Bye', changed.text, 'de']);
    expect((await boss.call(`PUT /replies/${id}`, changed)).status).toBe(404);
    expect(await boss.call('POST /replies', { ...changed, language: 'German' })).toMatchObject({
      status: 400,
      body: { error_message: 'language must be a language tag such as de or pt-BR' },
    });
    const audited = await database.query(`SELECT 1 FROM desk_audit WHERE action = 'change_reply'`);
    expect(audited).toHaveLength(1);
  });
});
