import { expect, it } from 'vitest';
import { findDifferences } from './find-differences.ts';

it.each([
  ['two ids', { id: '01a209b7-79de-72d0-a960-000000000000' }, { id: '01a209b7-79de-72d0-a960-ffffffffffff' }],
  ['two sequences', { sequence: 3 }, { sequence: 12 }],
  [
    'the same',
    { payload: { text: 'Hello', list: [1, null] } },
    { payload: { text: 'Hello', list: [1, null] } },
  ],
])('treats %s as alike', (_, example, actual) => {
  expect(findDifferences(example, actual)).toEqual([]);
});

it.each([
  ['another text', { text: 'Hello' }, { text: 'Goodbye' }],
  ['a text in place of an id', { id: '01a209b7-79de-72d0-a960-000000000000' }, { id: 'none' }],
  ['a missing key', { a: 1, b: 2 }, { a: 1 }],
  ['another key', { a: 1 }, { a: 1, b: 2 }],
  ['a transient event in place of a sequenced one', { sequence: 3 }, { sequence: null }],
  ['a shorter list', { list: [1, 2] }, { list: [1] }],
  ['another number', { position: 1 }, { position: 2 }],
])('finds a difference: %s', (_, example, actual) => {
  expect(findDifferences(example, actual)).toHaveLength(1);
});
