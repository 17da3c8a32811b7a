import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance } from './edit-distance.ts';

describe('editDistance', () => {
  it.each([
    ['ferry', 'ferry', 0],
    ['fery', 'ferry', 1],
    ['ferryy', 'ferry', 1],
    ['farry', 'ferry', 1],
    ['frery', 'ferry', 1],
    ['luggauge', 'luggage', 1],
    ['wheelchiar', 'wheelchair', 1],
    ['', 'ab', 2],
  ])('counts the slips from %s to %s', (one, other, distance) => {
    expect(editDistance(one, other, 2)).toBe(distance);
  });

  it('gives up beyond the limit', () => {
    expect(editDistance('cabin', 'luggage', 2)).toBeNull();
    expect(editDistance('fare', 'ferry', 1)).toBeNull();
  });

  it('is the same in both directions and never above the limit', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 3 }), (one, other, limit) => {
        const distance = editDistance(one, other, limit);
        expect(editDistance(other, one, limit)).toBe(distance);
        if (distance !== null) expect(distance).toBeLessThanOrEqual(limit);
        expect(distance === 0).toBe(one === other);
      }),
    );
  });
});
