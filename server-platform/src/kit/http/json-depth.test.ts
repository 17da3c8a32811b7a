import { describe, expect, it } from 'vitest';
import { isNestedTooDeeply } from './json-depth.ts';

const lists = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

describe('the depth of a JSON text', () => {
  it.each([
    ['lists', lists],
    ['objects', objects],
  ])('allows 200 levels of %s, whatever surrounds them', (_name, nest) => {
    expect(isNestedTooDeeply(nest(200))).toBe(false);
    expect(isNestedTooDeeply(nest(201))).toBe(true);
    expect(isNestedTooDeeply(`[${Array.from({ length: 300 }, () => nest(199)).join()}]`)).toBe(false);
    expect(isNestedTooDeeply(`[1, "x", {"a": null}, ${nest(200)}]`)).toBe(true);
  });

  it.each([
    ['brackets', '['.repeat(300)],
    ['braces', '{'.repeat(300)],
    ['escaped quotes', `\\"${'['.repeat(300)}`],
    ['an escaped backslash and a quote', `\\\\\\"${'['.repeat(300)}`],
    ['an end that is missing', `${'['.repeat(300)}\\`],
  ])('does not count %s in a string as a level', (_name, text) => {
    expect(isNestedTooDeeply(`{"text":"${text}"}`)).toBe(false);
  });

  it('counts levels after a string that ends in a backslash', () => {
    expect(isNestedTooDeeply(`["\\\\", ${lists(200)}]`)).toBe(true);
  });
});
