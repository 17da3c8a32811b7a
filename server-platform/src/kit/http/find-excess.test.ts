import { describe, expect, it } from 'vitest';
import { findExcess } from './find-excess.ts';

const TOO_DEEP = 'is nested too deeply';

const lists = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

describe('the depth of a JSON text', () => {
  it.each([
    ['lists', lists],
    ['objects', objects],
  ])('allows 200 levels of %s, whatever surrounds them', (_name, nest) => {
    expect(findExcess(nest(200))).toBeNull();
    expect(findExcess(nest(201))).toBe(TOO_DEEP);
    expect(findExcess(`[${Array.from({ length: 100 }, () => nest(199)).join()}]`)).toBeNull();
    expect(findExcess(`[1, "x", {"a": null}, ${nest(200)}]`)).toBe(TOO_DEEP);
  });

  it.each([
    ['brackets', '['.repeat(300)],
    ['braces', '{'.repeat(300)],
    ['escaped quotes', `\\"${'['.repeat(300)}`],
    ['an escaped backslash and a quote', `\\\\\\"${'['.repeat(300)}`],
    ['an end that is missing', `${'['.repeat(300)}\\`],
  ])('does not count %s in a string as a level', (_name, text) => {
    expect(findExcess(`{"text":"${text}"}`)).toBeNull();
  });

  it('counts levels after a string that ends in a backslash', () => {
    expect(findExcess(`["\\\\", ${lists(200)}]`)).toBe(TOO_DEEP);
  });
});

describe('the fields of a JSON text', () => {
  const record = (fields: number): string =>
    `{${Array.from({ length: fields }, (_, n) => `"a:${n}":":"`).join()}}`;

  it('allows 20,000 fields in all objects of a JSON text, whatever its texts contain', () => {
    expect(findExcess(record(20_000))).toBeNull();
    expect(findExcess(record(20_001))).toBe('has more than 20000 fields');
  });

  it('counts the fields of all objects of a JSON text', () => {
    const records = (count: number): string => `[${Array.from({ length: count }, () => record(100)).join()}]`;
    expect(findExcess(records(200))).toBeNull();
    expect(findExcess(records(201))).toBe('has more than 20000 fields');
  });
});
