import { randomUUID } from 'node:crypto';

/** A new UUIDv7: its first 48 bits are the time, so event ids sort by creation. Source: messaging.md 5.1. */
export function createEventId(nowMs: number): string {
  const time = nowMs.toString(16).padStart(12, '0');
  // `randomUUID` draws from a pool, unlike requests for a few random bytes.
  const chance = randomUUID();
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${chance.slice(15)}`;
}

/** A new message id. Source: ECH-3. */
export function createMessageId(): string {
  return `msg_${randomUUID().replaceAll('-', '')}`;
}
