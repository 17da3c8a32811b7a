import { expect, it } from 'vitest';
import { arePlansOld } from './are-plans-old.ts';

it('renews query plans whenever the uses have doubled, and after every 10,000 uses', () => {
  const old = Array.from({ length: 20_000 }, (_, index) => index + 1).filter(arePlansOld);
  expect(old).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 12_800, 20_000]);
});
