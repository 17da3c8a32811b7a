import { randomUUID } from 'node:crypto';
import {
  type CustomMap,
  encodeServerEvent,
  type KnownEventType,
  type OutgoingEvent,
  type SystemMessageLevel,
  type Vocabulary,
} from 'natter/protocol';

/** A new UUIDv7: its first 48 bits are the time, so ids of the log sort as they were made. Source: messaging.md 5.1. */
export function createEventId(nowMs: number): string {
  const time = nowMs.toString(16).padStart(12, '0');
  // `randomUUID` draws from a pool, which asking for a few random bytes at a time does not.
  const chance = randomUUID();
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${chance.slice(15)}`;
}

/** A new message id. Source: ECH-3. */
export function createMessageId(): string {
  return `msg_${randomUUID().replaceAll('-', '')}`;
}

/** An event that is not history: no sequence, never replayed. Source: messaging.md 5.5. */
export function transientEvent(
  nowMs: number,
  type: KnownEventType,
  payload: Readonly<Record<string, unknown>> = {},
  custom: CustomMap | null = null,
): OutgoingEvent {
  return { id: createEventId(nowMs), sequence: null, timestampMs: nowMs, type, payload, custom };
}

/** A SYSTEM_MESSAGE for the offending socket only. Source: messaging.md 5.5, MET-1. */
export function transientSystemMessage(
  nowMs: number,
  level: SystemMessageLevel,
  message: string,
  custom: CustomMap | null,
): OutgoingEvent {
  return transientEvent(nowMs, 'EVENT_TYPE_SYSTEM_MESSAGE', { level, message }, custom);
}

/** Turns events to frames, once per event and vocabulary however many sockets get it. */
export interface FrameEncoder {
  encode(event: OutgoingEvent, vocabulary: Vocabulary): string;
}

/** Makes an encoder that forgets an event's frames with the event. */
export function createFrameEncoder(): FrameEncoder {
  const frames: Readonly<Record<Vocabulary, WeakMap<OutgoingEvent, string>>> = {
    neutral: new WeakMap(),
    poly: new WeakMap(),
  };
  return {
    encode(event, vocabulary) {
      const known = frames[vocabulary].get(event);
      if (known !== undefined) return known;
      const frame = encodeServerEvent(event, vocabulary);
      frames[vocabulary].set(event, frame);
      return frame;
    },
  };
}
