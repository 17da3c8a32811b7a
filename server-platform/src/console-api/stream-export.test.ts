import { expect, it } from 'vitest';
import { writeCell } from './stream-export.ts';

it.each([
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['x;=1+1', "x;'=1+1"],
  ['x\n=1+1', '"x\n\'=1+1"'],
  ['x;"=1+1"', '"x;""\'=1+1"""'],
  ['1+1=2, a-b; c', '"1+1=2, a-b; c"'],
  [-5, '-5'],
  [null, ''],
])('is no formula at any separator of cells: %j', (value, expected) => {
  expect(writeCell(value)).toBe(expected);
});
