import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Sql } from '../sql.ts';
import { startMaintenance } from './maintenance.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A database that records its statements, and whose log has grown by `walBytes`. */
function createSql() {
  const asked: string[] = [];
  const state = {
    walBytes: 0,
    failure: null as Error | null,
    changed: [] as readonly { readonly name: string; readonly is_stale: boolean }[],
  };
  const query = async (text: string): Promise<readonly object[]> => {
    const isLook = text.includes('pg_control_checkpoint');
    const isChanged = text.includes('pg_stat_user_tables');
    asked.push(isLook ? 'look' : isChanged ? 'changed?' : text);
    if (state.failure !== null) throw state.failure;
    if (isChanged) return state.changed;
    return [{ bytes: String(state.walBytes) }];
  };
  return { asked, state, sql: { query } as unknown as Sql };
}

it('checks the write-ahead log every 15 s, and makes a checkpoint above 128 MB', async () => {
  const { asked, state, sql } = createSql();
  const { stop } = startMaintenance(sql);
  vi.advanceTimersByTime(14_999);
  expect(asked).toEqual([]);
  state.walBytes = 128 * 1_048_576;
  vi.advanceTimersByTime(1);
  await settled();
  expect(asked).toEqual(['look']);
  state.walBytes += 1;
  vi.advanceTimersByTime(15_000);
  await settled();
  expect(asked).toEqual(['look', 'look', 'CHECKPOINT']);
  stop();
});

it('vacuums every ten minutes, also after the database was unavailable', async () => {
  const { asked, state, sql } = createSql();
  const { stop } = startMaintenance(sql);
  const clearings = (): readonly string[] => asked.filter((text) => text !== 'look');
  state.changed = [
    { name: 'events', is_stale: true },
    { name: 'sessions', is_stale: false },
  ];
  vi.advanceTimersByTime(599_999);
  await settled();
  expect(clearings()).toEqual([]);
  state.failure = new Error('the database is away');
  vi.advanceTimersByTime(1);
  await settled();
  expect(clearings()).toEqual(['SELECT pg_stat_force_next_flush()']);
  state.failure = null;
  vi.advanceTimersByTime(600_000);
  await settled();
  expect(clearings().slice(2)).toEqual(['changed?', 'VACUUM (ANALYZE) events', 'VACUUM sessions']);
  stop();
  await settled();
  const before = asked.length;
  vi.advanceTimersByTime(6_000_000);
  expect(asked).toHaveLength(before);
});
