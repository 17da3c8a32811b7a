import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import type { TestDatabase } from '../../../test/db/engines.ts';
import { addOwnedSession, addTestConnector } from '../../../test/db/fixtures.ts';
import { startConversations } from '../../../test/records/conversations/start-conversations.ts';
import type { WaitForEventAction } from '../../agents/index.ts';
import {
  EVENT_ID_LIFETIME_MS,
  listSessionsToNotify,
  loadExternalState,
  openWait,
  settleWait,
  storeExternalEvent,
  type WaitOwner,
} from './external-waits-store.ts';

const NOW = 1_700_000_000_000;
const wait = (fields: Partial<WaitForEventAction> = {}): WaitForEventAction => ({
  type: 'wait_for_event',
  name: 'payment',
  timeoutMs: 600_000,
  eventId: 'evt_1',
  ...fields,
});
const event = (data: unknown, fields: object = {}) => ({
  eventId: 'evt_1',
  projectId: 'PROJECT-1',
  contentType: 'application/json',
  data,
  ...fields,
});

describeStorage('external events', ({ open }) => {
  let place: TestDatabase;
  let owner: WaitOwner;
  beforeAll(async () => {
    place = await open();
  });
  afterAll(() => place.close());
  beforeEach(async () => {
    await place.database.query('DELETE FROM external_waits');
    const { sessionId } = await addOwnedSession(place.database, await addTestConnector(place.database));
    owner = { conversationId: 'CONV-1', sessionId, projectId: 'PROJECT-1' };
    await startConversations(place.database, 'PROJECT-1', ['CONV-1', 'CONV-2']);
  });

  const data = async () =>
    (await loadExternalState(place.database, 'CONV-1')).received.map((received) => received.data);

  it('stores all external events in order, unchanged (EE-5, EE-6)', async () => {
    const { database } = place;
    await openWait(database, owner, wait({ sendToLlm: true }), { nowMs: NOW });
    const said = [{ text: 'odd \u0000 \ud800' }, null, ['a'], 'raw'];
    for (const each of said)
      expect(await storeExternalEvent(database, event(each), NOW + 5)).toEqual({
        sessionId: owner.sessionId,
      });
    const { received } = await loadExternalState(database, 'CONV-1');
    expect(received.map((each) => each.data)).toEqual(said);
    expect(received[0]).toMatchObject({
      name: 'payment',
      id: 'evt_1',
      createdAt: '2023-11-14T22:13:20.005Z',
      contentType: 'application/json',
      sendToLlm: true,
    });
  });

  it('stores events for a wait whose name contains characters that the database rejects', async () => {
    const { database } = place;
    const name = 'odd \u0000 \ud800';
    await openWait(database, owner, wait({ name }), { nowMs: NOW });
    await openWait(database, owner, wait({ name, eventId: 'evt_2' }), { nowMs: NOW });
    await storeExternalEvent(database, event('paid', { eventId: 'evt_2' }), NOW);
    const { received, waits } = await loadExternalState(database, 'CONV-1');
    expect(received).toMatchObject([{ id: 'evt_2', data: 'paid' }]);
    expect(waits).toMatchObject([{ eventId: 'evt_2', name: 'odd \ufffd \ufffd' }]);
  });

  it("refuses events after four hundred or four megabytes for a conversation's ids", async () => {
    const { database } = place;
    const other = { ...owner, conversationId: 'CONV-2' };
    await openWait(database, other, wait({ eventId: 'evt_other' }), { nowMs: NOW });
    const send = async (nr: number, text: string) => {
      const eventId = `evt_${nr}`;
      await openWait(database, owner, wait({ eventId, name: `${nr}` }), { nowMs: NOW });
      return await storeExternalEvent(database, event(text, { eventId }), NOW + 5);
    };
    for (let nr = 0; nr < 4; nr += 1)
      expect(await send(nr, 'x'.repeat(1_000_000))).toEqual({ sessionId: owner.sessionId });
    expect(await send(4, 'x'.repeat(1_000_000))).toBe('too_many');
    await database.query(
      `INSERT INTO external_events (event_id, created_at, content_type, data)
       SELECT 'evt_0', 0, 'text/plain', '1' FROM generate_series(1, 395)`,
    );
    expect(await send(399, 'short')).toEqual({ sessionId: owner.sessionId });
    expect(await send(400, 'short')).toBe('too_many');
    expect(await storeExternalEvent(database, event('short', { eventId: 'evt_other' }), NOW)).toEqual({
      sessionId: owner.sessionId,
    });
  });

  it('stores all concurrent events for one id (EE-5)', async () => {
    await openWait(place.database, owner, wait(), { nowMs: NOW });
    await Promise.all(
      Array.from({ length: 20 }, (_, nr) => storeExternalEvent(place.database, event(nr), NOW)),
    );
    expect(new Set(await data()).size).toBe(20);
  });

  it("keeps concurrent events for two ids within their conversation's limits", async () => {
    const { database } = place;
    for (const eventId of ['evt_0', 'evt_1'])
      await openWait(database, owner, wait({ eventId, name: eventId }), { nowMs: NOW });
    const text = 'x'.repeat(1_000_000);
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, nr) =>
        storeExternalEvent(database, event(text, { eventId: `evt_${nr % 2}` }), NOW),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'too_many')).toHaveLength(8);
  });

  it('accepts events for an id for one hour (EE-3)', async () => {
    await openWait(place.database, owner, wait({ timeoutMs: 2 * EVENT_ID_LIFETIME_MS }), { nowMs: NOW });
    const last = NOW + EVENT_ID_LIFETIME_MS - 1;
    expect(await storeExternalEvent(place.database, event('in time'), last)).not.toBe('not_valid');
    expect(await storeExternalEvent(place.database, event('late'), last + 1)).toBe('not_valid');
    expect(await data()).toEqual(['in time']);
  });

  it('refuses events for an unknown id, another project, or an ended conversation (EE-4)', async () => {
    const { database } = place;
    await openWait(database, owner, wait(), { nowMs: NOW });
    expect(await storeExternalEvent(database, event(1, { eventId: 'evt_2' }), NOW)).toBe('not_valid');
    expect(await storeExternalEvent(database, event(1, { eventId: 'evt_\0' }), NOW)).toBe('not_valid');
    expect(await storeExternalEvent(database, event(1, { projectId: 'PROJECT-2' }), NOW)).toBe('not_valid');
    await database.query("UPDATE sessions SET state = 'ended', ended_at = $1", [NOW]);
    expect(await storeExternalEvent(database, event(1), NOW)).toBe('not_valid');
    expect(await data()).toEqual([]);
  });

  it('binds an id to one conversation: another one cannot wait for it (EE-3)', async () => {
    await openWait(place.database, owner, wait(), { nowMs: NOW });
    const other = openWait(place.database, { ...owner, conversationId: 'CONV-2' }, wait(), { nowMs: NOW });
    await expect(other).rejects.toThrow('another conversation');
  });

  it('refuses a wait in an erased conversation', async () => {
    await place.database.query("DELETE FROM conversations WHERE id = 'CONV-1'");
    const late = openWait(place.database, owner, wait(), { nowMs: NOW });
    await expect(late).rejects.toThrow('a conversation without a record');
    expect(await place.database.query('SELECT 1 FROM external_waits')).toEqual([]);
  });

  it('refuses a wait by a node that has lost the session', async () => {
    const { database } = place;
    const [row] = await database.query<{ epoch: number }>(
      'SELECT owner_epoch AS epoch FROM sessions WHERE id = $1',
      [owner.sessionId],
    );
    const epoch = row?.epoch ?? 0;
    await openWait(database, { ...owner, sessionEpoch: epoch }, wait(), { nowMs: NOW });
    for (const sessionEpoch of [epoch - 1, -1]) {
      const late = openWait(database, { ...owner, sessionEpoch }, wait({ eventId: 'evt_2' }), { nowMs: NOW });
      await expect(late).rejects.toThrow('another node');
    }
    const { waits } = await loadExternalState(database, 'CONV-1');
    expect(waits.map(({ eventId }) => eventId)).toEqual(['evt_1']);
  });

  it('accepts events for a replaced wait of the same name, but they do not end it', async () => {
    const { database } = place;
    await openWait(database, owner, wait(), { nowMs: NOW });
    await openWait(database, owner, wait({ eventId: 'evt_2' }), { nowMs: NOW });
    const { waits } = await loadExternalState(database, 'CONV-1');
    expect(waits.map(({ eventId }) => eventId)).toEqual(['evt_2']);
    expect(await storeExternalEvent(database, event('old'), NOW)).not.toBe('not_valid');
    expect(await listSessionsToNotify(database, 'node-a', NOW)).toEqual([]);
  });

  it('reports events until the wait is settled, and keeps a newer wait for the id', async () => {
    const { database } = place;
    const tell = (node = 'node-a', nowMs = NOW) => listSessionsToNotify(database, node, nowMs);
    const first = await openWait(database, owner, wait(), { nowMs: NOW });
    expect(await tell()).toEqual([]);
    await storeExternalEvent(database, event('failed'), NOW);
    expect(await tell()).toEqual([owner.sessionId]);
    expect(await tell('node-b')).toEqual([]);
    const [known] = (await loadExternalState(database, 'CONV-1')).received;
    const second = await openWait(database, owner, wait(), {
      nowMs: NOW,
      deliveredUpTo: known?.ordinal ?? 0,
    });
    await settleWait(database, first, NOW);
    expect(await tell()).toEqual([]);
    await storeExternalEvent(database, event('paid'), NOW);
    expect(await tell()).toEqual([owner.sessionId]);
    await settleWait(database, second, NOW);
    expect(await tell()).toEqual([]);
  });

  it('reports no events while a person answers', async () => {
    await openWait(place.database, owner, wait(), { nowMs: NOW });
    await storeExternalEvent(place.database, event('paid'), NOW);
    await place.database.query("UPDATE sessions SET state = 'live'");
    expect(await listSessionsToNotify(place.database, 'node-a', NOW)).toEqual([]);
    await place.database.query("UPDATE sessions SET state = 'active'");
    expect(await listSessionsToNotify(place.database, 'node-a', NOW)).toEqual([owner.sessionId]);
  });

  it('reports a timeout when no event arrives', async () => {
    await openWait(place.database, owner, wait(), { nowMs: NOW });
    expect(await listSessionsToNotify(place.database, 'node-a', NOW + 599_999)).toEqual([]);
    expect(await listSessionsToNotify(place.database, 'node-a', NOW + 600_000)).toEqual([owner.sessionId]);
  });
});
