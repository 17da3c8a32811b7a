import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionTraceEvent } from './session-trace-event.ts';
import { SessionTraces } from './session-traces.ts';

const LIMITS = { maxEntriesOfSession: 8, firstEntriesKept: 2, maxEntries: 20 };

const opened = (socket: number): SessionTraceEvent => ({ kind: 'socket_opened', socket, cursor: 0 });
const sent = (type: string, bytes = 10, socket = 1): SessionTraceEvent => ({
  ...{ kind: 'frame_sent', type, bytes, socket },
});
const committed = (type: string, sequence: number, ms = 1): SessionTraceEvent => ({
  ...{ kind: 'committed', types: [type], first: sequence, last: sequence, ms },
});
const refused: SessionTraceEvent = {
  ...{ kind: 'frame_received', socket: 1, type: null, bytes: 100, outcome: 'refused' },
};

describe('the trace of a session', () => {
  it('merges a streamed answer into one run of commits and one of frames per socket', () => {
    const traces = new SessionTraces();
    traces.add('s', opened(1), 0);
    for (let part = 0; part < 50; part += 1) {
      traces.add('s', committed('CHUNK', 3 + part, part === 20 ? 9 : 1), part);
      traces.add('s', sent('CHUNK', 10, 1), part);
      traces.add('s', sent('CHUNK', 10, 2), part);
    }
    expect(traces.read('s')?.entries).toMatchObject([
      { fact: { kind: 'socket_opened' }, count: 1 },
      { fact: { first: 3 }, lastSequence: 52, count: 50, slowestMs: 9, atMs: 0, lastAtMs: 49 },
      { fact: { socket: 1 }, count: 50, bytes: 500 },
      { fact: { socket: 2 }, count: 50, bytes: 500 },
    ]);
  });

  it('does not merge equal facts with a different commit or outcome between them', () => {
    const traces = new SessionTraces();
    traces.add('s', committed('CHUNK', 1), 0);
    traces.add('s', committed('CHUNK', 3), 1);
    traces.add('s', refused, 2);
    traces.add('s', { ...refused, outcome: 'unread' } as SessionTraceEvent, 3);
    expect(traces.size).toBe(4);
  });

  it('keeps the handshake and the latest facts of a flooding session, and counts the dropped ones', () => {
    const traces = new SessionTraces(LIMITS);
    traces.add('s', opened(1), 0);
    for (let n = 0; n < 100; n += 1) traces.add('s', sent(`TYPE_${n}`), n);
    const trace = traces.read('s');
    expect(trace?.entries.map(({ fact }) => ('type' in fact ? fact.type : fact.kind))).toEqual([
      ...['socket_opened', 'TYPE_0'],
      ...['TYPE_94', 'TYPE_95', 'TYPE_96', 'TYPE_97', 'TYPE_98', 'TYPE_99'],
    ]);
    expect(trace?.droppedEntries).toBe(93);
  });

  it('drops the session first whose last socket opened longest ago', () => {
    const traces = new SessionTraces(LIMITS);
    for (const id of ['a', 'b', 'c']) {
      traces.add(id, opened(1), 0);
      for (let n = 0; n < 5; n += 1) traces.add(id, sent(`TYPE_${n}`), n);
    }
    traces.add('a', opened(2), 9);
    traces.add('d', opened(3), 9);
    expect([traces.has('b'), traces.size]).toEqual([true, 20]);
    traces.add('d', sent('TYPE'), 9);
    expect([traces.has('a'), traces.has('b'), traces.has('c')]).toEqual([true, false, true]);
  });

  it('drops the trace of an erased session', () => {
    const traces = new SessionTraces(LIMITS);
    traces.add('s', opened(1), 0);
    traces.forget('s');
    expect([traces.read('s'), traces.size]).toEqual([null, 0]);
  });

  it('never exceeds its limits, whatever clients send', () => {
    const facts = fc.oneof(
      fc.constant(opened(1)),
      fc.constant(refused),
      fc.nat(30).map((n) => sent(`TYPE_${n}`)),
      fc.nat(30).map((n) => committed('CHUNK', n)),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9).map(String), facts), { maxLength: 300 }), (all) => {
        const traces = new SessionTraces(LIMITS);
        const sessions = new Set(all.map(([session]) => session));
        for (const [session, fact] of all) {
          traces.add(session, fact, 0);
          expect(traces.size).toBeLessThanOrEqual(LIMITS.maxEntries);
        }
        const sizes = [...sessions].map((session) => traces.read(session)?.entries.length ?? 0);
        expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(LIMITS.maxEntriesOfSession);
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(traces.size);
      }),
    );
  });
});
