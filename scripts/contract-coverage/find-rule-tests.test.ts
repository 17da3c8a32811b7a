import { describe, expect, it } from 'vitest';
import { coverRules, findRuleIds } from './find-rule-tests.ts';

describe('the rules that a test file names', () => {
  it.each([
    ["it('refuses a cursor (XX-7)', async () => {});", ['XX-7']],
    ["it('is tried again (YY-7, YY-8)', { timeout: 1 }, () => {});", ['YY-7', 'YY-8']],
    ["it.each([[1, 2]])('adds %i and %i (ZZ-1)', (a, b) => {});", ['ZZ-1']],
    ['describe(`lists (XX-3)`, () => {});', ['XX-3']],
    ['it("keeps the caller\'s name (XX-4)", () => {});', ['XX-4']],
    ["// source (XX-5)\nit('does something', () => {});", []],
    ["it('speaks of XX-5 without brackets', () => {});", []],
    ["expect(text).toBe('says (XX-6)');", []],
  ])('finds in %s the rules %j', (text, ids) => {
    expect([...findRuleIds(text)]).toEqual(ids);
  });
});

describe('the coverage of the rules', () => {
  it('lists covered, untestable and missing rules', () => {
    const [one, two, three] = [
      { id: 'XX-1', rule: 'first' },
      { id: 'XX-2', rule: 'second', notTestable: 'a freedom' },
      { id: 'XX-3', rule: 'third' },
    ];
    const files = [
      { path: 'a.test.ts', text: "it('does (XX-1)', () => {});" },
      { path: 'b.test.ts', text: "it('does too (XX-1, XX-9)', () => {});" },
    ];
    expect(coverRules([one, two, three], files)).toEqual([
      { status: 'covered', rule: one, files: ['a.test.ts', 'b.test.ts'] },
      { status: 'not_testable', rule: two },
      { status: 'missing', rule: three },
    ]);
  });
});
