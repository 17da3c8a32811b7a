import { expect, it } from 'vitest';
import { findJsonFault } from './find-json-fault.ts';

it.each([
  ['a comma after the last entry', '{\n "a": 1,\n}', 3, 1],
  ['a word without quotes', '{\n  "a": secret\n}', 2, 8],
  ['a missing comma', '{\n"a":1\n"b":2}', 3, 1],
  ['a comment', '// ours\n{}', 1, 1],
  ['single quotes', "{'a':1}", 1, 2],
  ['more after the end', '{}\n{}', 2, 1],
  ['a line break in a string', '{"a":"\n"}', 1, 7],
  ['an unknown escape', '{"a":"\\x"}', 1, 8],
  ['a broken number', '{"a":1.}', 1, 8],
  ['an unfinished number', '{"a":-', 1, 7],
  ['a missing end', '{"a":1', 1, 7],
  ['an unfinished string', '{"a":"b', 1, 8],
  ['nothing', '', 1, 1],
  ['a long text', `{"a":"${'x'.repeat(5_000)}",\n"b": nope}`, 2, 7],
])('finds the place of a JSON fault: %s', (_, text, line, column) => {
  expect(findJsonFault(text)).toEqual({ line, column });
});
