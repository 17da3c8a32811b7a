import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeServer, describeStorage } from '../../../test/db/describe-storage.ts';
import type { EmptyTestDatabase, TestDatabase } from '../../../test/db/engines.ts';
import {
  addTestConnector,
  addTestSession,
  claimTestSession,
  testEvent,
  testMessage,
} from '../../../test/db/fixtures.ts';
import { createSessionIdOfDay, dayOf } from '../../db/ids/index.ts';
import { migrate } from '../../db/migrate.ts';
import type { Database } from '../../db/sql.ts';
import { createEventLog, type EventLog } from './event-log.ts';
import {
  addEventPartitions,
  dayOfPartition,
  dropEventPartition,
  LOCK_NOT_AVAILABLE,
  listEventPartitions,
  partitionOfDay,
  rangeOf,
  withTableLocks,
} from './event-partitions.ts';
import { deleteSession } from './session-table.ts';

const DAY = dayOf(Date.parse('2026-11-28T12:00:00Z'));

describeStorage('partitions of events', (engine) => {
  let place: TestDatabase;
  let database: Database;
  let log: EventLog;
  let connectorId: string;
  beforeEach(async () => {
    place = await engine.open();
    database = place.database;
    log = createEventLog(database);
    connectorId = await addTestConnector(database);
  });
  afterEach(() => place.close());

  const own = async (id: string) => {
    await addTestSession(database, connectorId, id);
    return { sessionId: id, epoch: (await claimTestSession(database, id, 'node-a')).ownerEpoch };
  };
  const countByTable = async (): Promise<Readonly<Record<string, number>>> => {
    const rows = await database.query<{ name: string; count: number }>(
      'SELECT c.relname AS name, count(*) AS count FROM events e JOIN pg_class c ON c.oid = e.tableoid GROUP BY 1',
    );
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  };

  it('names partitions after their days, and adds each once', async () => {
    expect(partitionOfDay(DAY)).toBe('events_2026_11_28');
    expect(dayOfPartition('events_2026_11_28')).toBe(DAY);
    expect(dayOfPartition('events_default')).toBeNull();
    expect(await listEventPartitions(database)).toEqual([]);
    await addEventPartitions(database, [DAY, DAY + 1]);
    await addEventPartitions(database, [DAY, DAY + 1, DAY + 2]);
    expect(await listEventPartitions(database)).toEqual([DAY, DAY + 1, DAY + 2]);
  });

  it("puts sessions into their days' partitions, and appends to and reads from several at once", async () => {
    await addEventPartitions(database, [DAY, DAY + 1]);
    const owners = await Promise.all(
      [createSessionIdOfDay(DAY), createSessionIdOfDay(DAY + 1), randomUUID(), createSessionIdOfDay(DAY)].map(
        own,
      ),
    );
    const say = () =>
      Promise.all(owners.map((owner) => log.append({ ...owner, events: [testMessage('draft-1')] })));
    expect((await say()).map(({ status }) => status)).toEqual(owners.map(() => 'appended'));
    expect((await say()).map(({ status }) => status)).toEqual(owners.map(() => 'repeated'));
    await Promise.all(owners.map((owner) => log.append({ ...owner, events: [testEvent(), testEvent()] })));
    expect(await countByTable()).toEqual({
      events_2026_11_28: 8,
      events_2026_11_29: 4,
      events_default: 4,
    });
    const pages = await Promise.all(owners.map(({ sessionId }) => log.readPage(sessionId, 1, 10)));
    expect(pages.map(({ events }) => events.map(({ sequence }) => sequence))).toEqual(
      owners.map(() => [2, 3, 4]),
    );
    // Ids are case-insensitive.
    const loud = await log.readPage(owners[2]?.sessionId.toUpperCase() ?? '', 0, 10);
    expect(loud.events).toHaveLength(4);
  });

  it('refuses the id of a day without a partition, and stores nothing of its session', async () => {
    await expect(own(createSessionIdOfDay(DAY))).rejects.toMatchObject({ code: 'conflict' });
    expect(await database.query('SELECT 1 FROM sessions')).toEqual([]);
  });

  it('drops a partition except for the sessions to keep', async () => {
    await addEventPartitions(database, [DAY, DAY + 1]);
    const [gone, kept, other] = await Promise.all([DAY, DAY, DAY + 1].map(createSessionIdOfDay).map(own));
    if (gone === undefined || kept === undefined || other === undefined) throw new Error('no sessions');
    for (const owner of [gone, kept, other])
      await log.append({ ...owner, events: [testMessage('draft-1'), testEvent()] });
    const before = await log.readAfter(kept.sessionId, 0, 10);
    // Twice: the second run finds the names that the first has left.
    for (const _ of [1, 2])
      await withTableLocks(database, (sql) =>
        dropEventPartition(sql, DAY, [{ id: kept.sessionId, lastSequence: 3 }]),
      );
    expect(await countByTable()).toEqual({ events_2026_11_28: 3, events_2026_11_29: 3 });
    expect(await log.readAfter(gone.sessionId, 0, 10)).toEqual([]);
    expect(await log.readAfter(kept.sessionId, 0, 10)).toEqual(before);
    expect(await log.readAfter(other.sessionId, 0, 10)).toHaveLength(3);
    // Its session continues, and the constraints hold.
    expect(await log.append({ ...kept, events: [testMessage('draft-1')] })).toMatchObject({
      status: 'repeated',
      original: { sequence: 2 },
    });
    expect(await log.append({ ...kept, events: [testEvent()] })).toMatchObject({ events: [{ sequence: 4 }] });
    const again = `INSERT INTO events (session_id, sequence, id, type, payload, client_event_id, bytes, created_at)
                   SELECT session_id, sequence + $1, gen_random_uuid(), type, payload, client_event_id, bytes, created_at
                     FROM events WHERE session_id = $2 AND sequence = 2`;
    for (const [by, constraint] of [
      [0, /pkey/],
      [40, /client_event_id/],
    ] as const)
      await expect(database.query(again, [by, kept.sessionId])).rejects.toMatchObject({
        code: 'conflict',
        constraint: expect.stringMatching(constraint),
      });
    await withTableLocks(database, (sql) => dropEventPartition(sql, DAY));
    expect(await listEventPartitions(database)).toEqual([DAY + 1]);
    expect(await countByTable()).toEqual({ events_2026_11_29: 3 });
  });

  it('leaves a partition unchanged when dropping it fails', async () => {
    await addEventPartitions(database, [DAY]);
    const { sessionId } = await own(createSessionIdOfDay(DAY));
    const failing = withTableLocks(database, async (sql) => {
      await dropEventPartition(sql, DAY, [{ id: sessionId, lastSequence: 1 }]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await countByTable()).toEqual({ events_2026_11_28: 1 });
  });
});

it('finds the smallest and the largest id', () => {
  expect(rangeOf(['b', 'A', 'c'])).toEqual(['a', 'c']);
  expect(rangeOf(['b'])).toEqual(['b', 'b']);
});

describeServer('partitions of events on a server', ({ openEmpty }) => {
  let place: EmptyTestDatabase;
  let other: Database;
  beforeEach(async () => {
    place = await openEmpty();
    other = await place.openAgain();
    await migrate(place.database, { schema: place.schema });
  });
  afterEach(async () => {
    await other.close();
    await place.close();
  });

  it('gives up dropping a partition while a backup reads, and changes nothing', async () => {
    await other.tx(async (sql) => {
      await sql.query('LOCK TABLE events IN ACCESS SHARE MODE');
      await expect(addEventPartitions(place.database, [DAY])).rejects.toMatchObject({
        sqlState: LOCK_NOT_AVAILABLE,
      });
    });
    expect(await listEventPartitions(place.database)).toEqual([]);
    await addEventPartitions(place.database, [DAY]);
    expect(await listEventPartitions(place.database)).toEqual([DAY]);
  });

  it('loses no event of a session that continues while its partition is dropped', async () => {
    await addEventPartitions(place.database, [DAY]);
    const connectorId = await addTestConnector(place.database);
    const sessionId = createSessionIdOfDay(DAY);
    await addTestSession(place.database, connectorId, sessionId);
    const { ownerEpoch: epoch } = await claimTestSession(place.database, sessionId, 'node-a');
    const log = createEventLog(place.database, { writers: 2 });
    let isOver = false;
    const talk = async (): Promise<readonly number[]> => {
      const sequences: number[] = [];
      while (!isOver) {
        const result = await log.append({ sessionId, epoch, events: [testMessage(randomUUID())] });
        if (result.status !== 'appended') throw new Error(result.status);
        sequences.push(...result.events.map(({ sequence }) => sequence));
      }
      return sequences;
    };
    const talks = Promise.all([talk(), talk()]);
    for (let round = 0; round < 20; round += 1)
      await withTableLocks(other, (sql) =>
        dropEventPartition(sql, DAY, [{ id: sessionId, lastSequence: 1 }]),
      );
    isOver = true;
    const appended = (await talks).flat().sort((one, two) => one - two);
    const read = await log.readAfter(sessionId, 1, 100_000);
    expect(read.map(({ sequence }) => sequence)).toEqual(appended);
    expect(appended.length).toBeGreaterThan(20);
  });

  it('applies appends and erasures to the copy that happened after it was made', async () => {
    const { database } = place;
    await addEventPartitions(database, [DAY]);
    const connectorId = await addTestConnector(database);
    const log = createEventLog(database);
    const start = async (): Promise<{ readonly sessionId: string; readonly epoch: number }> => {
      const sessionId = createSessionIdOfDay(DAY);
      await addTestSession(database, connectorId, sessionId);
      const { ownerEpoch: epoch } = await claimTestSession(database, sessionId, 'node-a');
      await log.append({ sessionId, epoch, events: [testMessage('draft-1')] });
      return { sessionId, epoch };
    };
    const [calm, continued, erased] = [await start(), await start(), await start()];
    const kept = [calm, continued, erased].map(({ sessionId: id }) => ({ id, lastSequence: 2 }));
    await withTableLocks(other, (sql) =>
      dropEventPartition(
        {
          ...sql,
          async query(text, params, how) {
            if (text.startsWith('LOCK TABLE ONLY events IN ACCESS EXCLUSIVE')) {
              await log.append({ ...continued, events: [testEvent()] });
              await deleteSession(database, erased.sessionId);
            }
            return await sql.query(text, params, how);
          },
        },
        DAY,
        kept,
      ),
    );
    const rows = await database.query<{ id: string; sequences: readonly number[] }>(
      'SELECT session_id AS id, array_agg(sequence::int ORDER BY sequence) AS sequences FROM events GROUP BY 1',
    );
    expect(Object.fromEntries(rows.map(({ id, sequences }) => [id, sequences]))).toEqual({
      [calm.sessionId]: [1, 2],
      [continued.sessionId]: [1, 2, 3],
    });
  });

  it('gives up dropping a partition while a vacuum holds its lock', async () => {
    await addEventPartitions(place.database, [DAY]);
    await other.tx(async (sql) => {
      // The lock that a vacuum holds.
      await sql.query('LOCK TABLE ONLY events_default IN SHARE UPDATE EXCLUSIVE MODE');
      await expect(addEventPartitions(place.database, [DAY + 1])).rejects.toMatchObject({
        sqlState: LOCK_NOT_AVAILABLE,
      });
    });
    await addEventPartitions(place.database, [DAY + 1]);
    expect(await listEventPartitions(place.database)).toEqual([DAY, DAY + 1]);
  });

  it('prunes partitions from a plan by the range of ids', async () => {
    await addEventPartitions(
      place.database,
      Array.from({ length: 5 }, (_, n) => DAY + n),
    );
    const plan = await place.database.tx(async (sql) => {
      await sql.query('SET LOCAL plan_cache_mode = force_generic_plan');
      await sql.query(
        'PREPARE reads AS SELECT * FROM events WHERE session_id = ANY($1::uuid[]) AND session_id BETWEEN $2::uuid AND $3::uuid',
      );
      const id = createSessionIdOfDay(DAY + 1);
      const rows = await sql.query(`EXPLAIN EXECUTE reads (ARRAY['${id}']::uuid[], '${id}', '${id}')`);
      await sql.query('DEALLOCATE reads');
      return JSON.stringify(rows);
    });
    expect(plan).toContain('Subplans Removed: 5');
    expect(plan).toContain('events_2026_11_29');
  });
});
