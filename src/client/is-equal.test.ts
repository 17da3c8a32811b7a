import { expect, it } from 'vitest';
import { isEqual } from './is-equal.ts';

it.each([
  [1, 1],
  [Number.NaN, Number.NaN],
  [null, null],
  [[], []],
  [{}, {}],
  [
    { a: 1, b: [{ c: 'x' }] },
    { b: [{ c: 'x' }], a: 1 },
  ],
])('finds %j and %j equal', (one, other) => {
  expect(isEqual(one, other)).toBe(true);
  expect(isEqual(other, one)).toBe(true);
});

it.each([
  [1, '1'],
  [null, {}],
  [undefined, null],
  [[], {}],
  [[1], [1, 2]],
  [{ a: 1 }, { b: 1 }],
  [{ a: undefined }, { b: undefined }],
  [{ toString: undefined }, { a: undefined }],
  [{ a: { b: 1 } }, { a: { b: 2 } }],
])('finds %j and %j different', (one, other) => {
  expect(isEqual(one, other)).toBe(false);
  expect(isEqual(other, one)).toBe(false);
});
