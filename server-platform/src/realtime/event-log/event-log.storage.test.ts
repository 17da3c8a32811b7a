import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import type { TestDatabase } from '../../../test/db/engines.ts';
import {
  addOwnedSession,
  addTestConnector,
  CONVERSATION_START,
  claimSession,
  claimTestSession,
  testEvent,
  testLease,
  testMessage,
} from '../../../test/db/fixtures.ts';
import type { Database } from '../../db/sql.ts';
import type { AppendResult } from './append-request.ts';
import { createEventLog, type EventLog } from './event-log.ts';
import { loadSession } from './session-table.ts';

describeStorage('the event log', ({ open }) => {
  let place: TestDatabase;
  let log: EventLog;
  let connectorId: string;
  const ownedSession = (): ReturnType<typeof addOwnedSession> => addOwnedSession(place.database, connectorId);
  const sequencesOf = async (sessionId: string): Promise<readonly number[]> =>
    (await log.readAfter(sessionId, 0, 100_000)).map(({ sequence }) => sequence);

  beforeAll(async () => {
    place = await open();
    log = createEventLog(place.database);
    connectorId = await addTestConnector(place.database);
  });
  afterAll(() => place.close());

  it('numbers events from 2 on, after SESSION_START, in the order of the calls', async () => {
    const owner = await ownedSession();
    const requests = Array.from({ length: 20 }, (_, index) => [
      testEvent({ payload: { part: `${index}a` } }),
      testEvent({ payload: { part: `${index}b` } }),
    ]);
    const results = await Promise.all(requests.map((events) => log.append({ ...owner, events })));
    const stored = results.flatMap((result) => (result.status === 'appended' ? result.events : []));
    expect(stored.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 2),
    );
    const read = await log.readAfter(owner.sessionId, 1, 1_000);
    expect(read).toEqual(stored);
    expect(read.map(({ payload }) => payload['part'])).toEqual(
      requests.flatMap((_, i) => [`${i}a`, `${i}b`]),
    );
  });

  it('refuses a request with two draft ids, because only one could be recognised later', async () => {
    const owner = await ownedSession();
    const events = [testMessage('draft-1'), testMessage('draft-2')];
    await expect(log.append({ ...owner, events })).rejects.toThrow(TypeError);
    expect(await sequencesOf(owner.sessionId)).toEqual([1]);
  });

  it('reads pages of many sessions at once, each from its own cursor and within its limit', async () => {
    const owners = await Promise.all(Array.from({ length: 9 }, ownedSession));
    await Promise.all(
      owners.map((owner, index) =>
        log.append({ ...owner, events: Array.from({ length: index }, () => testEvent()) }),
      ),
    );
    const pages = await Promise.all(
      owners.map(({ sessionId }, index) => log.readAfter(sessionId, index % 4, 3)),
    );
    for (const [index, page] of pages.entries()) {
      const after = index % 4;
      const expected = Array.from({ length: index + 1 }, (_, n) => n + 1).filter((n) => n > after);
      expect(page.map(({ sequence }) => sequence)).toEqual(expected.slice(0, 3));
      expect(page.every(({ sessionId }) => sessionId === owners[index]?.sessionId)).toBe(true);
    }
    const nobody = await log.readAfter(randomUUID(), 0, 10);
    expect(nobody).toEqual([]);
  });

  it('keeps 32 concurrently appending sessions apart, without gaps', async () => {
    const owners = await Promise.all(Array.from({ length: 32 }, ownedSession));
    await Promise.all(
      owners.map(async (owner) => {
        for (let part = 0; part < 10; part += 1) {
          const result = await log.append({
            ...owner,
            events: [testEvent({ payload: { part, of: owner.sessionId } })],
          });
          expect(result).toMatchObject({ status: 'appended', events: [{ sequence: part + 2 }] });
        }
      }),
    );
    for (const { sessionId } of owners) {
      const events = await log.readAfter(sessionId, 1, 100);
      expect(events.map(({ payload }) => payload)).toEqual(
        Array.from({ length: 10 }, (_, part) => ({ part, of: sessionId })),
      );
    }
  });

  it('shares commits: requests queued during one are written with the next', async () => {
    const owners = await Promise.all(Array.from({ length: 8 }, ownedSession));
    const commits: number[] = [];
    const counting = createEventLog(place.database, { onCommit: ({ requests }) => commits.push(requests) });
    const first = counting.append({ ...(await ownedSession()), events: [testEvent()] });
    await Promise.resolve().then(() => Promise.resolve());
    await Promise.all([
      first,
      ...owners.map((owner) => counting.append({ ...owner, events: [testEvent()] })),
    ]);
    expect(commits).toEqual([1, 8]);
  });

  it('shares commits between plain events and messages with draft ids', async () => {
    const owners = await Promise.all(Array.from({ length: 4 }, ownedSession));
    // After a group has failed, its requests are written one by one, each in its own transaction.
    const failures: unknown[] = [];
    const watched = createEventLog({
      ...place.database,
      async query<Row extends object>(...args: Parameters<Database['query']>) {
        try {
          return await place.database.query<Row>(...args);
        } catch (error) {
          failures.push(error);
          throw error;
        }
      },
    });
    const results = await Promise.all(
      owners.map((owner, index) =>
        watched.append({ ...owner, events: [index % 2 === 0 ? testEvent() : testMessage('draft')] }),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(owners.map(() => 'appended'));
    expect(failures).toEqual([]);
    const ofMessages = owners.filter((_, index) => index % 2 === 1);
    const again = await Promise.all(
      ofMessages.map((owner) => log.append({ ...owner, events: [testMessage('draft')] })),
    );
    expect(again.map(({ status }) => status)).toEqual(['repeated', 'repeated']);
  });

  it('records appended requests in a conversation, but not duplicates', async () => {
    const owner = await ownedSession();
    const id = randomUUID();
    const turn = { kind: 'message', userInput: 'hi', userInputAtMs: 1, agentResponse: 'Hello!' } as const;
    const start = CONVERSATION_START;
    const record = { id, turns: [{ ...turn, agentResponseAtMs: 2, atMs: 3 }] };
    const events = [testMessage('draft')];
    await log.append({ ...owner, events, effects: { record: { ...record, start } } });
    const again = await log.append({ ...owner, events, effects: { record } });
    expect(again.status).toBe('repeated');
    const stored = await place.database.query(
      'SELECT ordinal FROM conversation_turns WHERE conversation_id = $1',
      [id],
    );
    expect(stored).toEqual([{ ordinal: 1 }]);
  });

  it("limits pages to about a frame's size, except for a single larger event", async () => {
    const owner = await ownedSession();
    const text = 'x'.repeat(40_000);
    const large = testEvent({ payload: { text }, custom: { note: 'y'.repeat(10_000) } });
    const events = [large, large, large].map((event) => ({ ...event, id: randomUUID() }));
    await log.append({ ...owner, events });
    await log.append({ ...owner, events: [testEvent({ payload: { text: 'z'.repeat(200_000) } })] });
    const pageAfter = async (cursor: number, limit = 100) => {
      const page = await log.readPage(owner.sessionId, cursor, limit);
      return [page.events.map(({ sequence }) => sequence), page.hasMore];
    };
    expect(await pageAfter(0, 1)).toEqual([[1], true]);
    expect(await pageAfter(1)).toEqual([[2, 3], true]);
    expect(await pageAfter(3)).toEqual([[4], true]);
    expect(await pageAfter(4)).toEqual([[5], false]);
  });

  it('reads no further than requested', async () => {
    const owner = await ownedSession();
    await log.append({ ...owner, events: Array.from({ length: 100 }, () => testEvent()) });
    let reads = 0;
    const counted = createEventLog({
      ...place.database,
      query<Row extends object>(...args: Parameters<Database['query']>) {
        reads += 1;
        return place.database.query<Row>(...args);
      },
    });
    expect(await counted.readAfter(owner.sessionId, 0, 64)).toHaveLength(64);
    expect(reads).toBe(1);
  });

  it('answers a repeated draft id with the original and writes nothing (ECH-4)', async () => {
    const owner = await ownedSession();
    const first = await log.append({ ...owner, events: [testMessage('draft-1')] });
    const again = await log.append({
      ...owner,
      events: [testMessage('draft-1', { payload: { text: 'another text' } })],
      effects: { queueTurn: { id: randomUUID() }, session: { state: 'active' } },
    });
    if (first.status !== 'appended') throw new Error(first.status);
    expect(again).toEqual({ status: 'repeated', original: first.events[0] });
    expect(await sequencesOf(owner.sessionId)).toEqual([1, 2]);
    expect(await loadSession(place.database, owner.sessionId)).toMatchObject({
      state: 'created',
      lastSequence: 2,
    });
  });

  it('recognises a duplicate sent at the same moment, whatever else is in the group', async () => {
    const owner = await ownedSession();
    const results = await Promise.all([
      log.append({ ...owner, events: [testEvent()] }),
      log.append({ ...owner, events: [testMessage('draft-2')] }),
      log.append({ ...owner, events: [testMessage('draft-2')] }),
      log.append({ ...owner, events: [testEvent()] }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['appended', 'appended', 'repeated', 'appended']);
    expect(await sequencesOf(owner.sessionId)).toEqual([1, 2, 3, 4]);
  });

  it('lets two sessions use the same draft id', async () => {
    const [one, two] = [await ownedSession(), await ownedSession()];
    const results = await Promise.all(
      [one, two].map((owner) => log.append({ ...owner, events: [testMessage('same')] })),
    );
    expect(results.map(({ status }) => status)).toEqual(['appended', 'appended']);
  });

  it.each([
    ['a zero character', 'a\u0000b'],
    ['half a surrogate pair', '\ud800'],
    ['a kilobyte', 'x'.repeat(1_024)],
  ])('takes a draft id with %s, and knows it again', async (_, clientEventId) => {
    const owner = await ownedSession();
    const message = testMessage(clientEventId, { payload: { text: `says ${clientEventId}` } });
    expect(await log.append({ ...owner, events: [message] })).toMatchObject({ status: 'appended' });
    const again = await log.append({ ...owner, events: [testMessage(clientEventId)] });
    expect(again).toMatchObject({
      status: 'repeated',
      original: { payload: message.payload, custom: message.custom },
    });
  });

  it('writes nothing under a stale epoch, and reports that', async () => {
    const owner = await ownedSession();
    const { ownerEpoch } = await claimTestSession(place.database, owner.sessionId, 'node-a');
    expect(await log.append({ ...owner, events: [testEvent()] })).toEqual({ status: 'stale_owner' });
    expect(await sequencesOf(owner.sessionId)).toEqual([1]);
    expect(await log.append({ ...owner, epoch: ownerEpoch, events: [testEvent()] })).toMatchObject({
      status: 'appended',
      events: [{ sequence: 2 }],
    });
  });

  it('writes nothing after the end, even when requested at the same moment', async () => {
    const owner = await ownedSession();
    const end = testEvent({ type: 'EVENT_TYPE_SESSION_END', timestampMs: 1_700_000_500_000 });
    const results = await Promise.all([
      log.append({ ...owner, events: [testEvent()] }),
      log.append({ ...owner, events: [end], effects: { session: { state: 'ended' } } }),
      log.append({ ...owner, events: [testEvent()] }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['appended', 'appended', 'session_closed']);
    expect(await sequencesOf(owner.sessionId)).toEqual([1, 2, 3]);
    expect(await loadSession(place.database, owner.sessionId)).toMatchObject({
      state: 'ended',
      endedAtMs: 1_700_000_500_000,
    });
    const lease = await testLease(place.database, 'node-b');
    expect(await claimSession(place.database, owner.sessionId, lease)).toEqual({ status: 'closed' });
  });

  it('refuses messages and effects after the end and under a stale epoch', async () => {
    for (const state of ['ended', 'expired'] as const) {
      const owner = await ownedSession();
      await log.append({ ...owner, events: [testEvent()], effects: { session: { state, endedAtMs: 1 } } });
      const late = { events: [testMessage('late')], effects: { session: { language: 'fr' } } };
      expect(await log.append({ ...owner, ...late })).toEqual({ status: 'session_closed' });
      expect(await log.append({ ...owner, events: [testEvent()] })).toEqual({ status: 'session_closed' });
      expect(await sequencesOf(owner.sessionId)).toEqual([1, 2]);
      expect(await loadSession(place.database, owner.sessionId)).toMatchObject({
        state,
        language: 'en',
        endedAtMs: 1,
      });
    }
    const owner = await ownedSession();
    const old = { ...owner, epoch: owner.epoch - 1, events: [testMessage('old')] };
    expect(await log.append(old)).toEqual({ status: 'stale_owner' });
    expect(await sequencesOf(owner.sessionId)).toEqual([1]);
  });

  it('reports session_missing for a session that does not exist', async () => {
    const request = { sessionId: randomUUID(), epoch: 1, events: [testEvent()] };
    expect(await log.append(request)).toEqual({ status: 'session_missing' });
    const message = { ...request, events: [testMessage('draft')] };
    expect(await log.append(message)).toEqual({ status: 'session_missing' });
  });

  it('fails only the faulty request of a group', async () => {
    const owners = await Promise.all(Array.from({ length: 4 }, ownedSession));
    const settled = await Promise.allSettled(
      owners.map((owner, index) =>
        log.append({ ...owner, events: [testEvent(), testEvent(index === 2 ? { id: 'no uuid' } : {})] }),
      ),
    );
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(settled[2]).toMatchObject({ reason: { code: 'rejected', sqlState: '22P02' } });
    const lengths = await Promise.all(
      owners.map(async ({ sessionId }) => (await sequencesOf(sessionId)).length),
    );
    expect(lengths).toEqual([3, 3, 1, 3]);
  });

  it('reports overloaded while the disk is full: nothing was written, and everything can be written later', async () => {
    const owners = await Promise.all(Array.from({ length: 3 }, ownedSession));
    await place.database.query(
      `CREATE FUNCTION fill_disk() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`,
    );
    await place.database.query(
      'CREATE TRIGGER full_disk BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION fill_disk()',
    );
    const requests = owners.map((owner) => ({ ...owner, events: [testEvent()] }));
    const refused = await Promise.allSettled(requests.map((request) => log.append(request)));
    await place.database.query('DROP TRIGGER full_disk ON events');
    await place.database.query('DROP FUNCTION fill_disk');
    for (const outcome of refused)
      expect(outcome).toMatchObject({ reason: { code: 'overloaded', sqlState: '53100', retryable: true } });
    const results = await Promise.all(requests.map((request) => log.append(request)));
    expect(results.map(({ status }) => status)).toEqual(['appended', 'appended', 'appended']);
    for (const { sessionId } of owners) expect(await sequencesOf(sessionId)).toEqual([1, 2]);
  });

  it("refuses requests above the queue's limit at once, and writes the accepted ones", async () => {
    const owner = await ownedSession();
    const small = createEventLog(place.database, { maxQueuedRows: 10 });
    const taken = Array.from({ length: 5 }, () =>
      small.append({ ...owner, events: [testEvent(), testEvent()] }),
    );
    await expect(small.append({ ...owner, events: [testEvent()] })).rejects.toMatchObject({
      code: 'overloaded',
      retryable: true,
    });
    expect(small.queuedRows).toBe(10);
    await small.drain();
    expect((await Promise.all(taken)).every(({ status }) => status === 'appended')).toBe(true);
    expect(small.queuedRows).toBe(0);
    expect(await sequencesOf(owner.sessionId)).toHaveLength(11);
  });

  it('splits a queue that exceeds one statement, in order', async () => {
    const owner = await ownedSession();
    const short = createEventLog(place.database, { maxGroupRows: 7 });
    const results: readonly AppendResult[] = await Promise.all(
      Array.from({ length: 30 }, (_, part) =>
        short.append({ ...owner, events: [testEvent({ payload: { part } })] }),
      ),
    );
    expect(results.every(({ status }) => status === 'appended')).toBe(true);
    const read = await log.readAfter(owner.sessionId, 1, 100);
    expect(read.map(({ payload }) => payload['part'])).toEqual(Array.from({ length: 30 }, (_, part) => part));
  });

  it("writes at most one largest message's worth of text per statement, unless a single request has more", async () => {
    const owner = await ownedSession();
    const commits: number[] = [];
    const watched = createEventLog(place.database, { onCommit: ({ requests }) => commits.push(requests) });
    const lengths = [...Array.from({ length: 12 }, () => 40_000), 200_000, 1, 1];
    const append = (length: number): Promise<AppendResult> =>
      watched.append({ ...owner, events: [testEvent({ payload: { text: 'x'.repeat(length) } })] });
    const results = await Promise.all(lengths.map(append));
    expect(results.every(({ status }) => status === 'appended')).toBe(true);
    expect(commits).toEqual([3, 3, 3, 3, 1, 2]);
    const read = await log.readAfter(owner.sessionId, 1, 100);
    expect(read.map(({ payload }) => String(payload['text']).length)).toEqual(lengths);
  });

  it('cuts pages by stored sizes, so that no payload outside the page is read', async () => {
    const owner = await ownedSession();
    const custom = { note: 'ü' };
    await log.append({ ...owner, events: [testEvent({ custom }), testEvent()] });
    // Uses the statement that also detects duplicates.
    await log.append({ ...owner, events: [testMessage('draft')] });
    const rows = await place.database.query<{ bytes: number; size: number }>(
      `SELECT bytes, octet_length(payload::text) + coalesce(octet_length(custom::text), 0) AS size
           FROM events WHERE session_id = $1`,
      [owner.sessionId],
    );
    expect(rows).toHaveLength(4);
    expect(rows.map(({ bytes }) => bytes)).toEqual(rows.map(({ size }) => size));
    const firstPage = async (): Promise<readonly number[]> => {
      const { events, hasMore } = await log.readPage(owner.sessionId, 1, 10);
      expect(hasMore).toBe(events.length < 3);
      return events.map(({ sequence }) => sequence);
    };
    expect(await firstPage()).toEqual([2, 3, 4]);
    await place.database.query('UPDATE events SET bytes = 100000 WHERE session_id = $1', [owner.sessionId]);
    expect(await firstPage()).toEqual([2]);
  });

  it('reads equal pages once', async () => {
    const owner = await ownedSession();
    await log.append({ ...owner, events: [testEvent()] });
    const pages = await Promise.all(
      Array.from({ length: 8 }, (_, reader) => log.readPage(owner.sessionId, reader < 7 ? 0 : 1, 10)),
    );
    expect(new Set(pages).size).toBe(2);
    expect(pages.map(({ events }) => events.length)).toEqual([2, 2, 2, 2, 2, 2, 2, 1]);
  });

  it('limits what one statement reads for many sessions, and reads the rest with further statements', async () => {
    const text = 'x'.repeat(90_000);
    const owners = await Promise.all(Array.from({ length: 16 }, ownedSession));
    for (const owner of owners) await log.append({ ...owner, events: [testEvent({ payload: { text } })] });
    const bytes: number[] = [];
    const counting = createEventLog({
      ...place.database,
      async query<Row extends object>(...statement: Parameters<Database['query']>) {
        const rows = await place.database.query<Row>(...statement);
        bytes.push(Buffer.byteLength(JSON.stringify(rows)));
        return rows;
      },
    });
    const pages = await Promise.all(owners.map(({ sessionId }) => counting.readPage(sessionId, 1, 10)));
    expect(pages.map(({ events }) => events.map(({ sessionId }) => sessionId))).toEqual(
      owners.map(({ sessionId }) => [sessionId]),
    );
    expect(pages.every(({ events, hasMore }) => events[0]?.payload['text'] === text && !hasMore)).toBe(true);
    expect(Math.max(...bytes)).toBeLessThan(1_200_000);
  });

  it('replays events after a cursor in pages, and SESSION_START with them', async () => {
    const owner = await ownedSession();
    const custom = { client_event_id: 'c', note: 'ü' };
    await log.append({ ...owner, events: [testEvent(), testEvent({ custom }), testEvent()] });
    const page = await log.readAfter(owner.sessionId, 1, 2);
    expect(page.map(({ sequence }) => sequence)).toEqual([2, 3]);
    expect(page[1]?.custom).toEqual(custom);
    expect((await log.readAfter(owner.sessionId, 3, 2)).map(({ sequence }) => sequence)).toEqual([4]);
    expect(await log.readAfter(owner.sessionId, 99, 2)).toEqual([]);
    expect(await log.readAfter(owner.sessionId, 0, 1)).toMatchObject([
      { sequence: 1, type: 'EVENT_TYPE_SESSION_START' },
    ]);
    expect(await log.readAfter(randomUUID(), 0, 1)).toEqual([]);
  });
});
