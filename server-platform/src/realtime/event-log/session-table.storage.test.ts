import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import type { TestDatabase } from '../../../test/db/engines.ts';
import {
  addOwnedSession,
  addTestConnector,
  addTestSession,
  claimSession,
  claimTestSession,
  testEvent,
  testLease,
} from '../../../test/db/fixtures.ts';
import { createEventLog, type EventLog } from './event-log.ts';
import {
  createSessions,
  deleteSession,
  listIdleSessions,
  loadSession,
  loadSessionsToJoin,
  type NewSession,
  setContextVault,
  setVocabulary,
  touchSessions,
} from './session-table.ts';

describeStorage('sessions', ({ open }) => {
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
    expect(await log.readAfter(id, 0, 10)).toMatchObject([{ sequence: 1, type: 'EVENT_TYPE_SESSION_START' }]);
  });

  it('stores many sessions with one statement, and none of them if one cannot be stored', async () => {
    const draft = (fields: Partial<NewSession> = {}): NewSession => ({
      id: randomUUID(),
      connectorId,
      identity: randomUUID(),
      platform: 'web',
      deviceType: null,
      streaming: false,
      language: null,
      contextId: randomUUID(),
      createdAtMs: 1_700_000_000_000,
      start: testEvent({ type: 'EVENT_TYPE_SESSION_START', custom: { note: 'ü' } }),
      ...fields,
    });
    const sessions = [draft(), draft({ deviceType: 'mobile', streaming: true, language: 'de' })];
    const ids = sessions.map(({ id }) => id);
    expect(await createSessions(place.database, sessions)).toEqual(ids);
    expect(await Promise.all(ids.map((id) => loadSession(place.database, id)))).toMatchObject(
      sessions.map(({ id, identity, deviceType, streaming, language, contextId, createdAtMs }) => ({
        ...{ id, connectorId, identity, deviceType, streaming, language, contextId, createdAtMs },
        ...{ state: 'created', lastSequence: 1, lastActivityMs: createdAtMs },
      })),
    );
    for (const { id, start } of sessions) {
      const { type, custom } = start;
      expect(await log.readAfter(id, 0, 10)).toMatchObject([{ sequence: 1, id: start.id, type, custom }]);
    }
    const good = draft();
    await expect(
      createSessions(place.database, [good, draft({ connectorId: randomUUID() })]),
    ).rejects.toMatchObject({ sqlState: '23503' });
    expect(await loadSession(place.database, good.id)).toBeNull();
  });

  it('finds no session under an unknown or malformed id', async () => {
    expect(await loadSession(place.database, randomUUID())).toBeNull();
    expect(await loadSession(place.database, "'; DROP TABLE sessions; --")).toBeNull();
    const id = await newSession();
    for (const text of [`x${id}`, `${id}x`, ` ${id}`, id.replaceAll('-', '')]) {
      expect(await loadSession(place.database, text)).toBeNull();
      expect(await loadSessionsToJoin(place.database, [text])).toEqual([null]);
    }
  });

  it('finds many sessions at once, in order, and marks those with open turns', async () => {
    const owner = await addOwnedSession(place.database, connectorId);
    await log.append({ ...owner, events: [testEvent()], effects: { queueTurn: { id: randomUUID() } } });
    const quiet = await newSession();
    const ids = [quiet, 'no id', owner.sessionId.toUpperCase(), randomUUID(), quiet];
    const found = await loadSessionsToJoin(place.database, ids);
    expect(found.map((each) => each?.hasOpenTurns)).toEqual([false, undefined, true, undefined, false]);
    expect(found[0]?.session).toEqual(await loadSession(place.database, quiet));
    expect(found[2]?.session.id).toBe(owner.sessionId);
  });

  it("updates a session in an event's commit, and leaves other fields unchanged", async () => {
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

  it('keeps the latest activity when an earlier one is written later', async () => {
    const owner = await addOwnedSession(place.database, connectorId);
    for (const lastActivityMs of [1_800_000_000_000, 1_799_999_999_999])
      await log.append({ ...owner, events: [], effects: { session: { lastActivityMs } } });
    expect(await loadSession(place.database, owner.sessionId)).toMatchObject({
      lastActivityMs: 1_800_000_000_000,
    });
  });

  it('stores when a session ended, even if it ended without an event', async () => {
    const owner = await addOwnedSession(place.database, connectorId);
    await log.append({ ...owner, events: [], effects: { session: { state: 'expired' } } });
    const session = await loadSession(place.database, owner.sessionId);
    expect(session).toMatchObject({ state: 'expired', endedAtMs: expect.any(Number), lastSequence: 1 });
    const lease = await testLease(place.database, 'node-a');
    expect(await claimSession(place.database, owner.sessionId, lease)).toEqual({ status: 'closed' });
  });

  it("moves a session's activity forward, never back", async () => {
    const id = await newSession();
    await touchSessions(place.database, new Map([[id, 1_800_000_000_000]]));
    await touchSessions(place.database, new Map([[id, 1_750_000_000_000]]));
    expect(await loadSession(place.database, id)).toMatchObject({ lastActivityMs: 1_800_000_000_000 });
  });

  it('lists idle sessions, longest first, without ended ones', async () => {
    const [older, newer, over] = [await newSession(), await newSession(), await newSession()];
    const { ownerEpoch: epoch } = await claimTestSession(place.database, over, 'node-a');
    const end = { session: { state: 'expired' as const } };
    await log.append({ sessionId: over, epoch, events: [testEvent()], effects: end });
    await place.database.query('UPDATE sessions SET last_activity = 1 WHERE id = ANY($1::uuid[])', [
      [older, over],
    ]);
    await place.database.query('UPDATE sessions SET last_activity = 2 WHERE id = $1', [newer]);
    const idle = await listIdleSessions(place.database, 2);
    expect(idle).toEqual([older, newer]);
    expect(await listIdleSessions(place.database, 2, { except: [older] })).toEqual([newer]);
    expect(await listIdleSessions(place.database, 1)).toHaveLength(1);
  });

  it('replaces verified context completely, and keeps the vocabulary', async () => {
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
    expect(await log.readAfter(id, 0, 1)).toEqual([]);
    expect(await deleteSession(place.database, id)).toBe(false);
  });
});
