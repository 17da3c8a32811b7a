import { describe, expect, it } from 'vitest';
import type { ProactiveRule } from '../../widget/index.ts';
import { readRules } from './read-rules.ts';
import { type PageMoment, selectRule } from './select-rule.ts';

const MOMENT: PageMoment = {
  path: '/fares',
  secondsOnPage: 0,
  scrollPercent: 0,
  isLeaving: false,
  visits: 1,
};

function isMet(conditions: Partial<ProactiveRule>, moment: Partial<PageMoment>): boolean {
  return selectRule([{ id: 'a', text: 'Hello', ...conditions }], { ...MOMENT, ...moment }) !== undefined;
}

describe('a rule', () => {
  it.each([
    ['/fares', '/fares', true],
    ['/fares', '/fares/', true],
    ['/fares/', '/fares', true],
    ['/fares', '/fares/adult', false],
    ['/fares', '/my/fares', false],
    ['/fares*', '/fares/adult', true],
    ['/fares/*', '/fares/adult/dog', true],
    ['/fares/*', '/fares', false],
    ['*/fares', '/de/fares', true],
    ['/*/fares/*', '/de/fares/adult', true],
    ['/a*a', '/a', false],
    ['/a*b*c', '/axbxc', true],
    ['/a*b*c', '/axcxb', false],
    ['*', '/', true],
    ['/', '/', true],
    ['/', '/fares', false],
    ['/prei.e', '/preise', false],
    ['/preise-für', '/preise-für', true],
  ])('matches the page %s with the path %s: %s', (page, path, expected) => {
    expect(isMet({ page }, { path })).toBe(expected);
  });

  it('selects a proactive rule when all of its conditions are met', () => {
    expect([9.9, 10].map((secondsOnPage) => isMet({ afterSeconds: 10 }, { secondsOnPage }))).toEqual([
      false,
      true,
    ]);
    expect([49, 50].map((scrollPercent) => isMet({ scrollPercent: 50 }, { scrollPercent }))).toEqual([
      false,
      true,
    ]);
    expect([1, 2].map((visits) => isMet({ visits: 2 }, { visits }))).toEqual([false, true]);
    expect([false, true].map((isLeaving) => isMet({ exitIntent: true }, { isLeaving }))).toEqual([
      false,
      true,
    ]);
    expect(isMet({ exitIntent: true, afterSeconds: 5 }, { isLeaving: true })).toBe(false);
    expect(isMet({ page: '/fares', afterSeconds: 5, visits: 2 }, { secondsOnPage: 5, visits: 3 })).toBe(true);
  });

  it('selects the first of several proactive rules', () => {
    const rules = ['first', 'second'].map((id) => ({
      id,
      text: 'Hello',
      afterSeconds: id === 'first' ? 5 : 1,
    }));
    expect(selectRule(rules, { ...MOMENT, secondsOnPage: 2 })?.id).toBe('second');
    expect(selectRule(rules, { ...MOMENT, secondsOnPage: 5 })?.id).toBe('first');
  });
});

describe('rules', () => {
  const GOOD = { id: 'fares', text: 'Can we help?', afterSeconds: 20 };

  it('are a list or its JSON, with every field', () => {
    const all = {
      ...GOOD,
      texts: { de: 'Hilfe?', 'pt-BR': 'Ajuda?' },
      from: 'Ada',
      page: '/fares*',
      scrollPercent: 50,
      exitIntent: true,
      visits: 2,
    };
    expect(readRules([all])).toEqual([all]);
    expect(readRules(JSON.stringify([GOOD, { ...GOOD, id: 'b' }]))).toHaveLength(2);
  });

  it.each([
    ['{', 'is not valid JSON: "{"'],
    [{}, 'is not a list of rules'],
    [Array.from({ length: 21 }, (_, index) => ({ ...GOOD, id: `${index}` })), 'has 21 rules; at most 20'],
    [['hello'], 'has a rule 1 that is not an object: "hello"'],
    [[GOOD, { ...GOOD, id: undefined }], 'has a rule 2 without "id"'],
    [[{ id: 'a', afterSeconds: 1 }], 'has a rule 1 without "text"'],
    [[{ id: 'a', text: 'Hello' }], 'has a rule 1 without a condition; it needs at least one of page, '],
    [[{ id: 'a', text: 'Hello', exitIntent: false }], 'has a rule 1 without a condition'],
    [[GOOD, GOOD], 'has two rules with the id "fares"'],
    [[{ ...GOOD, id: 'a b' }], 'whose "id" is "a b"; it takes up to 50 letters'],
    [[{ ...GOOD, text: ' ' }], 'whose "text" is " "'],
    [[{ ...GOOD, text: 'x'.repeat(161) }], 'it takes a text of at most 160 characters'],
    [[{ ...GOOD, texts: { de: 'x'.repeat(161) } }], 'it takes an object with languages such as "de"'],
    [[{ ...GOOD, texts: { 'German!': 'Hilfe?' } }], 'whose "texts" is {"German!":"Hilfe?"}'],
    [[{ ...GOOD, texts: 'Hilfe?' }], 'whose "texts" is "Hilfe?"'],
    [[{ ...GOOD, from: 7 }], 'whose "from" is 7'],
    [[{ ...GOOD, page: 'fares' }], 'whose "page" is "fares"; it takes a path that begins with "/"'],
    [[{ ...GOOD, afterSeconds: '20' }], 'whose "afterSeconds" is "20"; it takes a number of seconds'],
    [[{ ...GOOD, afterSeconds: -1 }], 'whose "afterSeconds" is -1'],
    [[{ ...GOOD, scrollPercent: 101 }], 'whose "scrollPercent" is 101'],
    [[{ ...GOOD, exitIntent: 'yes' }], 'whose "exitIntent" is "yes"; it takes true or false'],
    [[{ ...GOOD, visits: 1.5 }], 'whose "visits" is 1.5'],
    [[{ ...GOOD, delay: 3 }], 'with the unknown field "delay"; there are id, text, '],
  ])('names the fault of invalid proactive rules: %j', (given, message) => {
    expect(() => readRules(given)).toThrow(TypeError);
    expect(() => readRules(given)).toThrow(message);
    expect(() => readRules(given)).toThrow('Write rules like this: [{ "id": "fares"');
  });
});
