import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createActivityBuffer } from './activity-buffer.ts';
import { createEventLog, type EventLog } from './event-log.ts';
import { claimSession, releaseLeases, renewLeases } from './session-lease.ts';
import {
  deleteSession,
  listIdleSessions,
  loadSession,
  loadSessionsToJoin,
  setContextVault,
  setVocabulary,
  touchSessions,
} from './sessions.ts';
import { TEST_ENGINES, type TestDatabase } from './testing/engines.ts';
import {
  addOwnedSession,
  addTestConnector,
  addTestSession,
  claimTestSession,
  testEvent,
} from './testing/fixtures.ts';

describe.each(TEST_ENGINES)('sessions on $name', ({ skipped, open }) => {
  describe.skipIf(skipped !== null)(skipped ?? 'are kept', () => {
    let place: TestDatabase;
    let log: EventLog;
    let connectorId: string;
    const newSession = (): Promise<string> => addTestSession(place.database, connectorId);

    beforeAll(async () => {
      place = await open();
      log = createEventLog(place.database);
      connectorId = await addTestConnector(place.database);
    });
    afterAll(() => place.close());

    it('stores a session together with its start (SES-2)', async () => {
      const id = await newSession();
      expect(await loadSession(place.database, id)).toMatchObject({
        id,
        connectorId,
        state: 'created',
        deviceType: 'mobile',
        streaming: true,
        conversationStatus: 'none',
        lastSequence: 1,
        ownerEpoch: 0,
        ownerNode: null,
      });
      expect(await log.readAfter(id, 0, 10)).toMatchObject([
        { sequence: 1, type: 'EVENT_TYPE_SESSION_START' },
      ]);
    });

    it('finds no session under an unknown id, or under what is no id', async () => {
      expect(await loadSession(place.database, randomUUID())).toBeNull();
      expect(await loadSession(place.database, "'; DROP TABLE sessions; --")).toBeNull();
    });

    it('finds many at once, in the order of their ids, and says which of them owe an answer', async () => {
      const owner = await addOwnedSession(place.database, connectorId);
      await log.append({ ...owner, events: [testEvent()], effects: { queueTurn: { id: randomUUID() } } });
      const quiet = await newSession();
      const ids = [quiet, 'no id', owner.sessionId.toUpperCase(), randomUUID(), quiet];
      const found = await loadSessionsToJoin(place.database, ids);
      expect(found.map((each) => each?.hasUnfinishedTurns)).toEqual([
        false,
        undefined,
        true,
        undefined,
        false,
      ]);
      expect(found[0]?.session).toEqual(await loadSession(place.database, quiet));
      expect(found[2]?.session.id).toBe(owner.sessionId);
    });

    it('changes a session in the commit of an event, and leaves out what is not named', async () => {
      const owner = await addOwnedSession(place.database, connectorId);
      const conversationId = `CONV-${randomUUID()}`;
      const agentState = { step: 1, said: 'nul \u0000' };
      await log.append({
        ...owner,
        events: [testEvent()],
        effects: {
          session: {
            state: 'active',
            conversationId,
            conversationStatus: 'running',
            agentState,
            language: 'de',
          },
        },
      });
      await log.append({
        ...owner,
        events: [],
        effects: { session: { handoff: { queue: 'q' }, vocabulary: 'poly' } },
      });
      const expected = {
        state: 'active',
        conversationId,
        conversationStatus: 'running',
        agentState,
        language: 'de',
      };
      expect(await loadSession(place.database, owner.sessionId)).toMatchObject({
        ...expected,
        handoff: { queue: 'q' },
        vocabulary: 'poly',
        lastSequence: 2,
      });
      await log.append({ ...owner, events: [], effects: { session: { agentState: null, handoff: null } } });
      expect(await loadSession(place.database, owner.sessionId)).toMatchObject({
        agentState: null,
        handoff: null,
      });
    });

    it('knows when a session ended, also when the end came without an event', async () => {
      const owner = await addOwnedSession(place.database, connectorId);
      await log.append({ ...owner, events: [], effects: { session: { state: 'expired' } } });
      const session = await loadSession(place.database, owner.sessionId);
      expect(session).toMatchObject({ state: 'expired', endedAtMs: expect.any(Number), lastSequence: 1 });
      expect(await claimSession(place.database, owner.sessionId, 'node-a')).toEqual({ status: 'closed' });
    });

    it('lets one node at a time own a session, under a new epoch each time', async () => {
      const id = await newSession();
      expect((await claimTestSession(place.database, id, 'node-a')).ownerEpoch).toBe(1);
      expect(await claimSession(place.database, id, 'node-b')).toEqual({ status: 'owned', node: 'node-a' });
      expect((await claimTestSession(place.database, id, 'node-a')).ownerEpoch).toBe(2);
      expect(await claimSession(place.database, randomUUID(), 'node-a')).toEqual({ status: 'closed' });
    });

    it('lets another node in once a lease ran out, and not before', async () => {
      const id = await newSession();
      await claimTestSession(place.database, id, 'node-a', 0);
      expect(await claimTestSession(place.database, id, 'node-b')).toMatchObject({
        ownerNode: 'node-b',
        ownerEpoch: 2,
      });
      expect(await claimSession(place.database, id, 'node-c')).toEqual({ status: 'owned', node: 'node-b' });
    });

    it('gives a session to one of many nodes that claim it at once', async () => {
      const id = await newSession();
      const claims = await Promise.all(
        Array.from({ length: 8 }, (_, node) => claimSession(place.database, id, `node-${node}`)),
      );
      expect(claims.filter(({ status }) => status === 'claimed')).toHaveLength(1);
    });

    it('renews what is still owned and names what was lost', async () => {
      const [kept, lost] = [await newSession(), await newSession()];
      for (const id of [kept, lost]) await claimTestSession(place.database, id, 'node-a', 0);
      await claimTestSession(place.database, lost, 'node-b');
      const epochs = new Map([
        [kept, 1],
        [lost, 1],
      ]);
      expect(await renewLeases(place.database, 'node-a', epochs)).toEqual([lost]);
      expect(await claimSession(place.database, kept, 'node-b')).toEqual({ status: 'owned', node: 'node-a' });
    });

    it('frees a released session at once, but not one that has another owner by now', async () => {
      const [mine, theirs] = [await newSession(), await newSession()];
      for (const id of [mine, theirs]) await claimTestSession(place.database, id, 'node-a', 0);
      await claimTestSession(place.database, theirs, 'node-b');
      await releaseLeases(
        place.database,
        'node-a',
        new Map([
          [mine, 1],
          [theirs, 1],
        ]),
      );
      expect((await claimSession(place.database, mine, 'node-c')).status).toBe('claimed');
      expect(await claimSession(place.database, theirs, 'node-c')).toEqual({
        status: 'owned',
        node: 'node-b',
      });
    });

    it('moves activity forward, never back', async () => {
      const id = await newSession();
      await touchSessions(place.database, new Map([[id, 1_800_000_000_000]]));
      await touchSessions(place.database, new Map([[id, 1_750_000_000_000]]));
      expect(await loadSession(place.database, id)).toMatchObject({ lastActivityMs: 1_800_000_000_000 });
    });

    it('collects activity and writes the latest, also after a write that failed', async () => {
      const id = await newSession();
      let isDown = true;
      const flaky = {
        ...place.database,
        query: ((...args) =>
          isDown
            ? Promise.reject(new Error('down'))
            : place.database.query(...args)) as typeof place.database.query,
      };
      const activity = createActivityBuffer(flaky, { intervalMs: 3_600_000 });
      activity.touch(id, 1_800_000_000_005);
      activity.touch(id, 1_800_000_000_003);
      await expect(activity.flush()).rejects.toThrow('down');
      isDown = false;
      await activity.close();
      expect(await loadSession(place.database, id)).toMatchObject({ lastActivityMs: 1_800_000_000_005 });
    });

    it('lists the idle, longest first, without those that are over', async () => {
      const [older, newer, over] = [await newSession(), await newSession(), await newSession()];
      const { ownerEpoch: epoch } = await claimTestSession(place.database, over, 'node-a');
      const end = { session: { state: 'expired' as const } };
      await log.append({ sessionId: over, epoch, events: [testEvent()], effects: end });
      await place.database.query('UPDATE sessions SET last_activity = 1 WHERE id = ANY($1::uuid[])', [
        [older, over],
      ]);
      await place.database.query('UPDATE sessions SET last_activity = 2 WHERE id = $1', [newer]);
      const idle = await listIdleSessions(place.database, 2);
      expect(idle.map(({ id }) => id)).toEqual([older, newer]);
      expect(await listIdleSessions(place.database, 1)).toHaveLength(1);
    });

    it('keeps the last verified context as a whole, and the vocabulary', async () => {
      const id = await newSession();
      await setContextVault(place.database, id, { name: 'Ada', tier: 2 });
      await setContextVault(place.database, id, { vip: true });
      await setVocabulary(place.database, id, 'poly');
      expect(await loadSession(place.database, id)).toMatchObject({
        contextVault: { vip: true },
        vocabulary: 'poly',
      });
    });

    it('removes a session with its events', async () => {
      const id = await newSession();
      expect(await deleteSession(place.database, id)).toBe(true);
      expect(await loadSession(place.database, id)).toBeNull();
      expect(await log.readFirst(id)).toBeNull();
      expect(await deleteSession(place.database, id)).toBe(false);
    });
  });
});
