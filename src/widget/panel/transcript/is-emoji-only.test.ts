import { expect, it } from 'vitest';
import { isEmojiOnly } from './is-emoji-only.ts';

it.each([
  ['👍', true],
  ['👩‍👩‍👧 🏳️‍🌈 👋🏽', true],
  ['🇩🇰', true],
  ['👍👍👍👍', false],
  ['3', false],
  ['*', false],
  ['Thanks 👍', false],
  ['', false],
])('recognises whether %j is emoji only', (text, expected) => expect(isEmojiOnly(text)).toBe(expected));
