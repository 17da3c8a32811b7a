import { randomUUID } from 'node:crypto';

/** Every id of a day is below it, every other one is not. */
export const FIRST_ID_WITHOUT_DAY = '00000001-0000-0000-0000-000000000000';

const DAY_MS = 86_400_000;

/** Days since 1970 (UTC). */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** The moment at which a day begins, in milliseconds since 1970. */
export function startOfDay(day: number): number {
  return day * DAY_MS;
}

/** A new session id: a random UUID (SES-1). */
export function createSessionId(): string {
  const id = randomUUID();
  // One of four thousand million would pass for the id of a day.
  return id < FIRST_ID_WITHOUT_DAY ? createSessionId() : id;
}

/**
 * A new session id of a day: a UUIDv8 of eight zeros, the day in four hexadecimal digits, and 74 random bits. The events of
 * the session are in the partition of that day.
 */
export function createSessionIdOfDay(day: number): string {
  return `${prefixOf(day)}-8${randomUUID().slice(15)}`;
}

/** The lowest id that a day can have. */
export function firstIdOfDay(day: number): string {
  return `${prefixOf(day)}-0000-0000-000000000000`;
}

function prefixOf(day: number): string {
  return `00000000-${day.toString(16).padStart(4, '0')}`;
}
