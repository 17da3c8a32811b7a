import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { INTERVAL_MS, Sweep } from './sweep.ts';

type Span = readonly [begin: number, end: number];

function pack(spans: readonly Span[]): string {
  const bytes = Buffer.alloc(spans.length * 8);
  spans.forEach(([begin, end], index) => {
    bytes.writeInt32BE(begin, index * 8);
    bytes.writeInt32BE(end, index * 8 + 4);
  });
  return bytes.toString('base64');
}

/** The highest count of each interval, counted at every instant at which it can change. */
function countByInstant(spans: readonly Span[], intervals: number): readonly number[] {
  return Array.from({ length: intervals }, (_, interval) => {
    const sinceMs = interval * INTERVAL_MS;
    const instants = [sinceMs, ...spans.map(([begin]) => begin)].filter(
      (ms) => ms >= sinceMs && ms < sinceMs + INTERVAL_MS,
    );
    return Math.max(...instants.map((ms) => spans.filter(([begin, end]) => begin <= ms && ms < end).length));
  });
}

it('finds the peaks of any conversations, however they are split (CC-3)', () => {
  // Few different instants, including interval boundaries, so that many coincide.
  const instant = fc.integer({ min: 0, max: 48 }).map((step) => (step * INTERVAL_MS) / 8);
  const span = fc
    .tuple(instant, instant)
    .filter(([a, b]) => a !== b)
    .map(([a, b]): Span => [Math.min(a, b), Math.max(a, b)]);
  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 3 });
  fc.assert(
    fc.property(fc.array(span, { maxLength: 40 }), cuts, (spans, drawn) => {
      const sweep = new Sweep(6);
      let from = 0;
      for (const to of [...drawn.sort(), 6]) {
        const part = spans.filter(
          ([begin]) => begin >= from * INTERVAL_MS && (to === 6 || begin < to * INTERVAL_MS),
        );
        sweep.add(pack(part));
        sweep.advance(to);
        from = to;
      }
      expect([...sweep.peaks]).toEqual(countByInstant(spans, 6));
    }),
  );
});

it('counts no conversation in intervals before the first one', () => {
  const sweep = new Sweep(2);
  sweep.advance(1);
  sweep.add(pack([[INTERVAL_MS, INTERVAL_MS + 1]]));
  sweep.advance(2);
  expect([...sweep.peaks]).toEqual([0, 1]);
});
