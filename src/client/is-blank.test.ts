import { expect, it } from 'vitest';
import { isBlank } from './is-blank.ts';

it.each([
  '',
  ' \n\t',
  '\u200b',
  '\u2800',
  '\u2800 \u2800',
  '\u3164',
  '\uffa0',
  '\u2060\ufeff',
  '\u202e\u2069',
  '\u00ad',
  '\u0000',
])('treats %j as blank', (text) => expect(isBlank(text)).toBe(true));

it.each(['a', ' . ', '\u200bשלום', '👋', '👨‍👩‍👧', '\u0301', '०', '\u2801'])(
  'treats %j as visible text',
  (text) => expect(isBlank(text)).toBe(false),
);
