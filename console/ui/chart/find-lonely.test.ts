import { expect, it } from 'vitest';
import { findLonely } from './find-lonely.ts';

it('finds values without a neighbour, at the ends too', () => {
  expect(findLonely([1, null, null, 2, 3, null, 0])).toEqual([0, 6]);
  expect(findLonely([null, 4, null])).toEqual([1]);
  expect(findLonely([])).toEqual([]);
});
