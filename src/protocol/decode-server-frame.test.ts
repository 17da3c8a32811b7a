import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadVectors } from '../../test/load-vectors.ts';
import { decodeServerFrame, type ServerEvent } from './index.ts';

interface Case {
  readonly name: string;
  readonly frame?: unknown;
  readonly raw?: string;
  readonly expect:
    | { readonly events: readonly unknown[]; readonly skipped?: readonly string[] }
    | { readonly drop: string };
}

const { server_frames } = loadVectors<{ readonly server_frames: readonly Case[] }>('wire-frames');

const asVector = (event: ServerEvent): unknown => ({
  type: event.type,
  id: event.id,
  sequence: event.sequence,
  timestamp: event.timestampMs === null ? 'now' : new Date(event.timestampMs).toISOString(),
  custom: event.custom,
  payload: event.payload,
});

describe('decodeServerFrame follows the wire-frames vectors', () => {
  it.each(server_frames.map((vector) => [vector.name, vector] as const))(
    'decodeServerFrame reads the vector "%s"',
    (_, vector) => {
      const decoded = decodeServerFrame(vector.raw ?? JSON.stringify(vector.frame));
      if ('drop' in vector.expect) {
        expect(decoded).toMatchObject({ kind: 'drop', reason: vector.expect.drop });
        return;
      }
      if (decoded.kind !== 'events') throw new Error(`dropped: ${decoded.reason}`);
      expect(decoded.events.map(asVector)).toEqual(vector.expect.events);
      if (vector.expect.skipped) {
        expect(decoded.skipped.map(({ reason }) => reason)).toEqual(vector.expect.skipped);
      }
    },
  );
});

describe('decodeServerFrame', () => {
  it('keeps the sequence of a type it does not know, so that the cursor can move', () => {
    const frame = {
      id: 'e-9',
      sequence: 9,
      timestamp: '2026-03-02T09:15:00Z',
      type: 'EVENT_TYPE_NEW',
      payload: {},
    };
    expect(decodeServerFrame(JSON.stringify(frame))).toEqual({
      kind: 'drop',
      reason: 'unknown_type',
      id: 'e-9',
      sequence: 9,
    });
  });

  it('reads whether more of a batch follows, and null if the platform does not send that', () => {
    const batch = (extra: object): string =>
      JSON.stringify({ type: 'EVENT_TYPE_EVENT_BATCH', payload: { events: [], ...extra } });
    expect(decodeServerFrame(batch({ has_more: true, last_sequence: 7 }))).toMatchObject({
      batch: { hasMore: true },
    });
    expect(decodeServerFrame(batch({}))).toMatchObject({ batch: { hasMore: null } });
  });

  it('treats names of object prototypes as unknown types', () => {
    for (const type of ['constructor', '__proto__', 'toString']) {
      expect(decodeServerFrame(JSON.stringify({ type }))).toMatchObject({ reason: 'unknown_type' });
    }
  });

  it.each([
    [0, 0],
    [7.9, 7],
    [-1, null],
    ['7', null],
  ])('reads the sequence %j as %j', (sequence, expected) => {
    const frame = { id: 'e', sequence, timestamp: '2026-03-02T09:15:00Z', type: 'EVENT_TYPE_AGENT_THINKING' };
    expect(decodeServerFrame(JSON.stringify(frame))).toMatchObject({ events: [{ sequence: expected }] });
  });

  it('reads a number that is too large as a missing one', () => {
    const text =
      '{"id":"e","sequence":1e999,"timestamp":"2026-03-02T09:15:00Z","type":"EVENT_TYPE_AGENT_THINKING"}';
    expect(decodeServerFrame(text)).toMatchObject({ events: [{ sequence: null }] });
  });

  it.each<[string, string, unknown, unknown]>([
    ['EVENT_TYPE_X_FEEDBACK', 'rating', 'up', 'up'],
    ['EVENT_TYPE_X_FEEDBACK', 'rating', 'down', 'down'],
    ['EVENT_TYPE_X_FEEDBACK', 'rating', 'sideways', null],
    ['EVENT_TYPE_SHOW_CSAT_REQUEST', 'scale', 'stars', 'stars'],
    ['EVENT_TYPE_SHOW_CSAT_REQUEST', 'scale', 'faces', undefined],
    [
      'EVENT_TYPE_SESSION_START',
      'capabilities',
      { extensions: ['feedback', 1, null] },
      expect.objectContaining({ extensions: ['feedback'] }),
    ],
    [
      'EVENT_TYPE_SESSION_START',
      'capabilities',
      { extensions: 'feedback' },
      expect.objectContaining({ extensions: undefined }),
    ],
  ])('reads in a %s the field %s %j as %j', (type, key, value, expected) => {
    const payload = { question: 'How was it?', [key]: value };
    const decoded = decodeServerFrame(
      JSON.stringify({ id: 'e', sequence: 1, timestamp: '2026-03-02T09:15:00Z', type, payload }),
    );
    if (decoded.kind !== 'events') throw new Error(decoded.reason);
    expect(Reflect.get(decoded.events[0]?.payload ?? {}, key)).toEqual(expected);
  });

  it('never throws on any input', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(['events', 'drop']).toContain(decodeServerFrame(text).kind);
      }),
    );
  });

  it('never throws on a known type with any payload', () => {
    const types = [
      ...new Set(server_frames.map((vector) => (vector.frame as { type?: unknown } | undefined)?.type)),
    ];
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.jsonValue(), fc.jsonValue(), (type, payload, metadata) => {
        const text = JSON.stringify({
          id: 'x',
          sequence: 1,
          timestamp: '2026-03-02T09:15:00Z',
          type,
          payload,
          metadata,
        });
        expect(['events', 'drop']).toContain(decodeServerFrame(text).kind);
      }),
    );
  });
});
