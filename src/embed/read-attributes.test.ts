import { describe, expect, it } from 'vitest';
import { ATTRIBUTES } from './attributes.ts';
import { readAttributes } from './read-attributes.ts';

const toCamelCase = (name: string): string =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Reads an attribute as the `dataset` of a script tag contains it. */
const read = (name: string, value: string) => readAttributes({ [toCamelCase(name)]: value });

const rows = Object.entries(ATTRIBUTES);
const switches = rows.filter(([, { values }]) => values === 'switch');
const others = rows.filter(([, { values }]) => values !== 'switch');

describe('attributes', () => {
  it.each(others)(
    'reads the attribute %s as the text of its option, without surrounding white space',
    (name, { option }) => {
      expect(read(name, ' some text ')).toEqual({ [option]: 'some text' });
      // A text option keeps the text `true`.
      expect(read(name, 'true')).toEqual({ [option]: 'true' });
    },
  );

  it.each(switches)('switches an option with the attribute %s', (name, { option }) => {
    expect(read(name, 'true')).toEqual({ [option]: true });
    expect(read(name, 'false')).toEqual({ [option]: false });
    expect(read(name, 'sideways')).toEqual({});
    expect(read(name, 'TRUE')).toEqual({});
  });

  it('prefers later options to attributes, whatever their type', () => {
    const links = [{ label: 'Privacy', url: 'https://example.com' }];
    const attributes = { avatar: 'a.png', showIcon: 'false', theme: 'dark', title: 'Help' };
    const set = { avatarUrl: undefined, showLauncher: true, policyLinks: links, theme: undefined };
    expect(readAttributes({ ...attributes, ...set })).toEqual({
      title: 'Help',
      showLauncher: true,
      policyLinks: links,
    });
  });

  it.each(rows)('ignores the attribute %s if it is empty', (name) => {
    expect(read(name, '')).toEqual({});
    expect(read(name, '  ')).toEqual({});
  });
});
