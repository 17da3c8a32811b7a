import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import type { TestDatabase } from '../../../test/db/engines.ts';
import {
  addOwnedSession,
  addTestConnector,
  claimTestSession,
  expireLease,
  testEvent,
  testMessage,
} from '../../../test/db/fixtures.ts';
import { createEventLog, type EventLog } from '../event-log/event-log.ts';
import { loadSessionsToJoin } from '../event-log/session-table.ts';
import { listOpenTurns, listSessionsToRecover } from './turns.ts';

describeStorage('turns', ({ open }) => {
  let place: TestDatabase;
  let log: EventLog;
  let connectorId: string;

  beforeAll(async () => {
    place = await open();
    log = createEventLog(place.database);
    connectorId = await addTestConnector(place.database);
  });
  afterAll(() => place.close());

  const queue = async (
    owner: { readonly sessionId: string; readonly epoch: number },
    draft: string,
  ): Promise<string> => {
    const id = randomUUID();
    const result = await log.append({
      ...owner,
      events: [testMessage(draft)],
      effects: { queueTurn: { id } },
    });
    expect(result).toMatchObject({ status: 'appended', turn: { id } });
    return id;
  };

  it('queues a turn in the commit of its message, numbered in order', async () => {
    const owner = await addOwnedSession(place.database, connectorId);
    await log.append({ ...owner, events: [testEvent()] });
    const ids = [await queue(owner, 'a'), await queue(owner, 'b')];
    expect(await listOpenTurns(place.database, owner.sessionId)).toMatchObject([
      { id: ids[0], ordinal: 1, inputSequence: 3, messageId: null, startedAtMs: null },
      { id: ids[1], ordinal: 2, inputSequence: 4 },
    ]);
  });

  it('reports an open turn to a handshake until it ends', async () => {
    const hasOpen = async (sessionId: string) =>
      (await loadSessionsToJoin(place.database, [sessionId]))[0]?.hasOpenTurns;
    const owner = await addOwnedSession(place.database, connectorId);
    expect(await hasOpen(owner.sessionId)).toBe(false);
    const id = await queue(owner, 'a');
    expect(await hasOpen(owner.sessionId)).toBe(true);
    await log.append({ ...owner, events: [], effects: { endTurn: { id } } });
    expect(await hasOpen(owner.sessionId)).toBe(false);
  });

  it('starts and finishes a turn in the commits of its answer', async () => {
    const owner = await addOwnedSession(place.database, connectorId);
    const id = await queue(owner, 'a');
    await log.append({
      ...owner,
      events: [testEvent()],
      effects: { beginTurn: { id, messageId: 'msg_2', startedAtMs: 10 } },
    });
    expect(await listOpenTurns(place.database, owner.sessionId)).toMatchObject([
      { id, messageId: 'msg_2', startedAtMs: 10 },
    ]);
    await log.append({
      ...owner,
      events: [testEvent()],
      effects: { endTurn: { id } },
    });
    expect(await listOpenTurns(place.database, owner.sessionId)).toEqual([]);
  });

  it('changes no turn of another session', async () => {
    const [one, two] = [
      await addOwnedSession(place.database, connectorId),
      await addOwnedSession(place.database, connectorId),
    ];
    const id = await queue(one, 'a');
    await log.append({
      ...two,
      events: [testEvent()],
      effects: { endTurn: { id } },
    });
    expect(await listOpenTurns(place.database, one.sessionId)).toMatchObject([{ id }]);
  });

  it('changes no turn for an owner with a stale epoch', async () => {
    const owner = await addOwnedSession(place.database, connectorId);
    const id = await queue(owner, 'a');
    const beginTurn = { id, messageId: 'msg_2', startedAtMs: 10 };
    for (const effects of [{ beginTurn }, { endTurn: { id } }]) {
      const late = { ...owner, epoch: owner.epoch - 1, events: [], effects };
      expect(await log.append(late)).toEqual({ status: 'stale_owner' });
    }
    expect(await listOpenTurns(place.database, owner.sessionId)).toMatchObject([{ id, messageId: null }]);
  });

  it('lists sessions with a waiting turn whose owner is gone', async () => {
    const owner = await addOwnedSession(place.database, connectorId, 'node-dead');
    await queue(owner, 'a');
    const idle = await addOwnedSession(place.database, connectorId, 'node-dead');
    const list = async (): Promise<readonly string[]> => await listSessionsToRecover(place.database);
    expect(await list()).not.toContain(owner.sessionId);
    await expireLease(place.database, 'node-dead');
    expect(await list()).toContain(owner.sessionId);
    expect(await list()).not.toContain(idle.sessionId);
    await claimTestSession(place.database, owner.sessionId, 'node-alive');
    expect(await list()).not.toContain(owner.sessionId);
  });

  it('runs further statements in the commit, and rolls everything back when they fail', async () => {
    const owner = await addOwnedSession(place.database, connectorId);
    const other = await addOwnedSession(place.database, connectorId);
    await place.database.query(
      'CREATE TABLE IF NOT EXISTS jobs (event_id uuid PRIMARY KEY, sequence bigint)',
    );
    const append = (event = testEvent()): ReturnType<EventLog['append']> =>
      log.append({
        ...owner,
        events: [event],
        effects: {
          async also(sql, stored) {
            for (const { id, sequence } of stored)
              await sql.query('INSERT INTO jobs VALUES ($1, $2)', [id, sequence]);
          },
        },
      });
    const event = testEvent();
    expect(await append(event)).toMatchObject({ status: 'appended', events: [{ sequence: 2 }] });
    const [again, beside] = await Promise.allSettled([
      append(event),
      log.append({ ...other, events: [testEvent()] }),
    ]);
    expect(again).toMatchObject({
      status: 'rejected',
      reason: { code: 'conflict', constraint: 'jobs_pkey' },
    });
    expect(beside).toMatchObject({ status: 'fulfilled', value: { status: 'appended' } });
    expect(await log.readAfter(owner.sessionId, 0, 10)).toHaveLength(2);
    expect(await place.database.query('SELECT sequence FROM jobs')).toEqual([{ sequence: 2 }]);
  });
});
