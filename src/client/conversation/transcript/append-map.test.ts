import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AppendMap, append, createAppendMap, entriesOf, lookUp } from './append-map.ts';

describe('a map that grows', () => {
  it('equals a copied map at every point, whichever one is extended', () => {
    const step = fc.record({ from: fc.nat(), key: fc.nat(6), value: fc.nat() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const grown: AppendMap<number, number>[] = [createAppendMap()];
        const copied: ReadonlyMap<number, number>[] = [new Map()];
        for (const { from, key, value } of steps) {
          // Mostly the newest map, as in practice; sometimes one that others were derived from.
          const base = from % 3 === 0 ? from % grown.length : grown.length - 1;
          grown.push(append(grown[base] ?? createAppendMap<number, number>(), key, value));
          copied.push(new Map(copied[base]).set(key, value));
        }
        grown.forEach((map, index) => {
          const expected = copied[index] ?? new Map();
          expect(entriesOf(map)).toEqual([...expected]);
          for (let key = 0; key <= 6; key += 1) expect(lookUp(map, key)).toBe(expected.get(key));
        });
      }),
    );
  });

  it('shares nothing with the empty map, which every conversation starts from', () => {
    const empty = createAppendMap<string, string>();
    append(empty, 'visitor', 'one');
    expect(empty).toEqual(createAppendMap());
  });
});
