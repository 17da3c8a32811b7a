import { randomUUID } from 'node:crypto';

/** Upper bound of all ids with a day, and lower bound of all others. */
export const FIRST_ID_WITHOUT_DAY = '00000001-0000-0000-0000-000000000000';

const DAY_MS = 86_400_000;

/** Days since 1970 (UTC). */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** Start of a day, in milliseconds since 1970. */
export function startOfDay(day: number): number {
  return day * DAY_MS;
}

/** A new session id: a random UUID (SES-1). */
export function createSessionId(): string {
  const id = randomUUID();
  // One in four thousand million random ids would be mistaken for the id of a day.
  return id < FIRST_ID_WITHOUT_DAY ? createSessionId() : id;
}

/**
 * A new session id of a day: a UUIDv8 of eight zeros, the day in four hexadecimal digits, and 74 random bits. The
 * session's events are stored in that day's partition.
 */
export function createSessionIdOfDay(day: number): string {
  return `${prefixOf(day)}-8${randomUUID().slice(15)}`;
}

/** The lowest id of a day. */
export function firstIdOfDay(day: number): string {
  return `${prefixOf(day)}-0000-0000-000000000000`;
}

function prefixOf(day: number): string {
  return `00000000-${day.toString(16).padStart(4, '0')}`;
}
