import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { EMBEDDED_ENGINE, type TestDatabase } from '../../../test/db/engines.ts';
import { addTestConnector, addTestSession } from '../../../test/db/fixtures.ts';
import type { Sql } from '../../db/sql.ts';
import { createActivityBuffer } from './activity-buffer.ts';
import { loadSession } from './session-table.ts';

const T = 1_800_000_000_000;
const NEVER = { delayMs: 3_600_000 };

describe('a buffer of activity', () => {
  let place: TestDatabase;
  let connectorId: string;
  let statements = 0;
  let isDown = false;
  beforeAll(async () => {
    place = await EMBEDDED_ENGINE.open();
    connectorId = await addTestConnector(place.database);
  });
  afterAll(() => place.close());

  const sql = (): Sql => ({
    query: (...args) => {
      statements += 1;
      return isDown ? Promise.reject(new Error('down')) : place.database.query(...args);
    },
    tx: (run) => place.database.tx(run),
  });
  const newSession = (): Promise<string> => addTestSession(place.database, connectorId);
  const lastActivityOf = async (id: string): Promise<number | undefined> =>
    (await loadSession(place.database, id))?.lastActivityMs;

  it('writes the latest activity, also after a failed write', async () => {
    const id = await newSession();
    const activity = createActivityBuffer(sql(), NEVER);
    activity.touch(id, T + 5);
    activity.touch(id, T + 3);
    isDown = true;
    await expect(activity.flush()).rejects.toThrow('down');
    isDown = false;
    await activity.close();
    expect(await lastActivityOf(id)).toBe(T + 5);
  });

  it('writes buffered activity in time without a flush', async () => {
    const id = await newSession();
    const activity = createActivityBuffer(sql(), { delayMs: 50 });
    activity.touch(id, T);
    await expect.poll(() => lastActivityOf(id)).toBe(T);
    await activity.close();
  });

  it('keeps activity that is newer than what an event stored', async () => {
    const id = await newSession();
    const activity = createActivityBuffer(sql(), NEVER);
    activity.settle(id, T);
    activity.touch(id, T + 5);
    activity.settle(id, T + 3);
    await activity.close();
    expect(await lastActivityOf(id)).toBe(T + 5);
  });

  it('skips activity stored with an event, but writes later activity', async () => {
    const [stored, later] = [await newSession(), await newSession()];
    const before = await lastActivityOf(stored);
    const activity = createActivityBuffer(sql(), NEVER);
    for (const id of [stored, later]) {
      activity.touch(id, T);
      activity.settle(id, T);
    }
    activity.touch(later, T + 1);
    statements = 0;
    await activity.flush();
    expect(statements).toBe(1);
    await activity.close();
    expect(statements).toBe(1);
    expect(await lastActivityOf(stored)).toBe(before);
    expect(await lastActivityOf(later)).toBe(T + 1);
  });
});

it('writes due activity once a minute, at most a twelfth of the delay too early', async () => {
  vi.useFakeTimers();
  try {
    let writes = 0;
    const sql: Sql = {
      async query() {
        writes += 1;
        return [];
      },
      tx: (run) => run(sql),
    };
    const activity = createActivityBuffer(sql);
    activity.touch('session', T);
    vi.advanceTimersByTime(55_000);
    expect(writes).toBe(0);
    vi.advanceTimersByTime(5_000);
    expect(writes).toBe(1);
    vi.advanceTimersByTime(120_000);
    expect(writes).toBe(1);
    await activity.close();
  } finally {
    vi.useRealTimers();
  }
});

it('reports a failed write, and repeats it with a later one', async () => {
  vi.useFakeTimers();
  try {
    const failures: string[] = [];
    let isAway = true;
    let writes = 0;
    const sql: Sql = {
      async query() {
        if (isAway) throw new Error('the database is away');
        writes += 1;
        return [];
      },
      tx: (run) => run(sql),
    };
    const activity = createActivityBuffer(sql, { onError: (error) => failures.push(String(error)) });
    activity.touch('session', T);
    await vi.advanceTimersByTimeAsync(56_000);
    expect(failures).toEqual(['Error: the database is away']);
    isAway = false;
    await vi.advanceTimersByTimeAsync(5_000);
    expect([failures.length, writes]).toEqual([1, 1]);
    await activity.close();
  } finally {
    vi.useRealTimers();
  }
});
