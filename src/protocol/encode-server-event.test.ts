import { describe, expect, it } from 'vitest';
import {
  type BatchOptions,
  decodeServerFrame,
  encodeBatches,
  encodeServerEvent,
  type OutgoingEvent,
  utf8Length,
} from './index.ts';

const eventAt = (sequence: number, text = 'hello'): OutgoingEvent => ({
  id: `e-${sequence}`,
  sequence,
  timestampMs: Date.UTC(2026, 2, 2, 9, 15),
  type: 'EVENT_TYPE_AGENT_MESSAGE',
  payload: { message_id: `m-${sequence}`, text },
  custom: null,
});

const options: BatchOptions = {
  vocabulary: 'neutral',
  maxBytes: 131_072,
  nowMs: Date.UTC(2026, 2, 2),
  createId: () => 'batch',
  lastSequence: 450,
};

const sequencesOf = (frame: string): readonly (number | null)[] => {
  const decoded = decodeServerFrame(frame);
  if (decoded.kind !== 'events') throw new Error(decoded.reason);
  return decoded.events.map(({ sequence }) => sequence);
};

describe('encodeServerEvent', () => {
  it('writes the vendor name only in the vendor vocabulary', () => {
    expect(encodeServerEvent(eventAt(3), 'neutral')).toContain('"EVENT_TYPE_AGENT_MESSAGE"');
    expect(encodeServerEvent(eventAt(3), 'poly')).toContain('"EVENT_TYPE_POLY_AGENT_MESSAGE"');
  });

  it('writes metadata only if the client sent a custom map', () => {
    expect(encodeServerEvent(eventAt(3), 'neutral')).not.toContain('metadata');
    expect(encodeServerEvent({ ...eventAt(3), custom: { a: 'b' } }, 'neutral')).toContain(
      '"metadata":{"custom":{"a":"b"}}',
    );
  });
});

describe('encodeBatches', () => {
  it('splits a replay after 200 events and marks the last frame', () => {
    const frames = encodeBatches(
      Array.from({ length: 450 }, (_, index) => eventAt(index + 1)),
      options,
    );
    expect(frames.map((frame) => sequencesOf(frame).length)).toEqual([200, 200, 50]);
    expect(frames.flatMap(sequencesOf)).toEqual(Array.from({ length: 450 }, (_, index) => index + 1));
    expect(frames.map((frame) => JSON.parse(frame).payload.has_more)).toEqual([true, true, false]);
    expect(JSON.parse(frames[0] ?? '')).toMatchObject({ sequence: null, payload: { last_sequence: 450 } });
  });

  it('keeps every frame within the byte limit', () => {
    const frames = encodeBatches(
      Array.from({ length: 60 }, (_, index) => eventAt(index + 1, 'ü'.repeat(900))),
      { ...options, maxBytes: 10_000 },
    );
    expect(frames.every((frame) => utf8Length(frame) <= 10_000)).toBe(true);
    expect(frames.flatMap(sequencesOf)).toHaveLength(60);
  });

  it('sends an event that is too large for any frame alone, without an empty frame before it', () => {
    const events = [eventAt(1, 'x'.repeat(2_000)), eventAt(2)];
    const frames = encodeBatches(events, { ...options, maxBytes: 1_000 });
    expect(frames.map(sequencesOf)).toEqual([[1], [2]]);
  });

  it('sends one frame for an empty replay', () => {
    expect(encodeBatches([], options).map(sequencesOf)).toEqual([[]]);
  });
});
