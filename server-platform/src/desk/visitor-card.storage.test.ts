import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeStorage } from '../../test/db/describe-storage.ts';
import { type DeskFixture, startDeskFixture, type TestDesk } from '../../test/desk/desk-fixture.ts';
import type { TestSocket } from '../../test/realtime/test-socket.ts';
import { withoutQuery } from './visitor-card.ts';

type Fields = Readonly<Record<string, unknown>>;

describeStorage('the visitor of a conversation', (engine) => {
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

  const say = async (visitor: TestSocket, text: string, custom: Readonly<Record<string, string>>) => {
    visitor.send('USER_MESSAGE', { text }, custom);
    await visitor.next(({ type, payload }) => type.endsWith('USER_MESSAGE') && payload['text'] === text);
  };
  /** A visitor whose page says this, in a conversation with the person; with the id of the request. */
  const talk = async (custom: Readonly<Record<string, string>>, desk = grace) => {
    const visitor = await fixture.visit();
    await say(visitor, 'When is the next ferry?', custom);
    await say(visitor, 'a person, please', custom);
    let id = '';
    const read = async (): Promise<string> => {
      const requests = (await desk.call('GET /inbox')).body['requests'] as readonly Fields[];
      id = String(requests.find(({ status }) => status === 'offered')?.['id'] ?? '');
      return id;
    };
    await expect.poll(read).not.toBe('');
    await desk.call(`POST /requests/${id}/accept`);
    await visitor.next('LIVE_AGENT_JOINED');
    return { visitor, id };
  };
  const details = async (id: string, desk = grace): Promise<Fields> =>
    (await desk.call(`GET /requests/${id}`)).body;

  it("lists the visitor's pages, newest first, without query and fragment", async () => {
    const { visitor, id } = await talk({ page: 'https://example.com/fares?code=secret#top', name: 'Ana' });
    await say(visitor, 'Hello?', { page: 'https://example.com/fares?code=other', name: 'Ana' });
    await say(visitor, 'And now?', { page: 'Booking', name: 'Ana', local_id: 'd1', time_zone: 'Asia/Tokyo' });
    const { visitor: card, page } = await details(id);
    expect(card).toMatchObject({
      ...{ platform: 'web', device_type: null, user: null, earlier: [] },
      pages: [{ page: 'Booking' }, { page: 'https://example.com/fares' }],
    });
    // Also what no turn of the agent has seen.
    expect(page).toEqual({ page: 'Booking', name: 'Ana', time_zone: 'Asia/Tokyo' });
  });

  it("shows the same user's earlier conversations with notes and tags, and no one else's", async () => {
    // The page named them only when the agent had left.
    const first = await talk({});
    await say(first.visitor, 'I have signed in.', { user_id: 'ana"\0' });
    await grace.call(`POST /requests/${first.id}/notes`, { text: 'Travels with a dog.' });
    await grace.call(`PUT /requests/${first.id}/tags`, { tags: ['dog'] });
    await grace.call(`POST /requests/${first.id}/end`);
    const other = await talk({ user_id: 'bob' });
    await grace.call(`POST /requests/${other.id}/notes`, { text: 'Pays by invoice.' });
    await grace.call(`POST /requests/${other.id}/end`);
    const { id } = await talk({ user_id: 'ana"\0' });
    expect((await details(id))['visitor']).toMatchObject({
      user: { id: 'ana"\0', is_verified: false },
      earlier: [
        {
          ...{ id: first.id, may_open: true, queue_name: 'Support', person_name: 'Grace' },
          ...{ question: 'When is the next ferry?', tags: ['dog'] },
          notes: [{ person_name: 'Grace', text: 'Travels with a dog.' }],
        },
      ],
    });
    const ben = await fixture.sitDown('Ben');
    await grace.call('POST /presence', { presence: 'away' });
    const { database } = fixture.platform;
    const withBen = await talk({ user_id: 'bob' }, ben);
    expect((await details(withBen.id, ben))['visitor']).toMatchObject({
      earlier: [{ id: other.id, may_open: false, question: '', notes: [] }],
    });
    const ofRequest = 'id = (SELECT session_id FROM desk_requests WHERE id = $1)';
    await database.query(`UPDATE sessions SET context_vault = '{"user_id":"bob"}' WHERE ${ofRequest}`, [
      withBen.id,
    ]);
    expect((await details(withBen.id, ben))['visitor']).toMatchObject({
      earlier: [
        { may_open: false, question: 'When is the next ferry?', notes: [{ text: 'Pays by invoice.' }] },
      ],
    });
    await database.query(`UPDATE projects SET settings = '{"conversations":{"show_transcripts":false}}'`);
    expect((await details(withBen.id, ben))['visitor']).toMatchObject({
      earlier: [{ id: other.id, question: '' }],
    });
    const sue = await fixture.sitDown('Sue', { role: 'supervisor', isAway: true });
    expect(await details(withBen.id, sue)).toMatchObject({ visitor: null, page: {} });
  });

  it('marks a user signed by the backend as verified', async () => {
    const { id } = await talk({ user_id: 'somebody else' });
    await fixture.platform.database.query(`UPDATE sessions SET context_vault = '{"user_id":"ana"}'`);
    expect((await details(id))['visitor']).toMatchObject({ user: { id: 'ana', is_verified: true } });
  });
});

it("extracts the location from a page's metadata", () => {
  expect(withoutQuery('/fares?q=1')).toBe('/fares');
  expect(withoutQuery('http://a.example/b#c')).toBe('http://a.example/b');
  expect(withoutQuery('Why us?')).toBe('Why us?');
  expect(withoutQuery(`/${'a'.repeat(1_000)}`)).toHaveLength(300);
});
