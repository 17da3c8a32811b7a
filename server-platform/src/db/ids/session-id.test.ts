import { expect, it } from 'vitest';
import {
  createSessionId,
  createSessionIdOfDay,
  dayOf,
  FIRST_ID_WITHOUT_DAY,
  firstIdOfDay,
  startOfDay,
} from './session-id.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[48][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it('creates UUIDs that sort between the first id of their day and that of the next', () => {
  const day = dayOf(Date.parse('2026-11-28T23:59:59.999Z'));
  expect(startOfDay(day)).toBe(Date.parse('2026-11-28'));
  const ids = Array.from({ length: 200 }, () => createSessionIdOfDay(day));
  expect(new Set(ids).size).toBe(200);
  for (const id of ids) {
    expect(id).toMatch(UUID);
    expect(id > firstIdOfDay(day) && id < firstIdOfDay(day + 1)).toBe(true);
  }
  const plain = Array.from({ length: 200 }, createSessionId);
  for (const id of plain) {
    expect(id).toMatch(UUID);
    expect(id >= FIRST_ID_WITHOUT_DAY).toBe(true);
  }
  // Up to the year 2149.
  expect(firstIdOfDay(0xffff) < FIRST_ID_WITHOUT_DAY).toBe(true);
});
