import { isRightToLeft } from '../locales/fill.ts';
import type { RichNode } from '../markdown/rich-node.ts';

type Direction = 'ltr' | 'rtl';

const RIGHT_TO_LEFT_LANGUAGE =
  /^(?:ar|ckb|dv|fa|he|iw|ji|nqo|ps|sd|syr|ug|ur|yi)(?:-|$)|-(?:Adlm|Arab|Hebr|Nkoo|Syrc|Thaa)(?:-|$)/i;
/** Addresses, file names and the like, which are Latin in every language. */
const NO_WORD = /[/@_]|.\../u;
const LETTERS = /\p{L}/gu;

/** Returns the direction in which a language is written; a language tag names the script where it is another. */
export const directionOfLanguage = (tag: string): Direction =>
  RIGHT_TO_LEFT_LANGUAGE.test(tag) && !/-Latn(?:-|$)/i.test(tag) ? 'rtl' : 'ltr';

/**
 * Returns the direction of a text in a conversation that is written in the direction `language`. In a language from right to left,
 * one word of it decides, because texts in it begin with foreign names. Else the first letter does, unless most letters are
 * the language's own.
 */
export function directionOf(text: string, language: Direction): Direction {
  const words = text.replace(/\S+/g, (word) => (NO_WORD.test(word) ? ' ' : word));
  const letters = words.match(LETTERS) ?? text.match(LETTERS) ?? [];
  const count = letters.filter(isRightToLeft).length;
  if (language === 'rtl') return count > 0 || letters.length === 0 ? 'rtl' : 'ltr';
  return isRightToLeft(letters[0] ?? '') && count * 2 >= letters.length ? 'rtl' : 'ltr';
}

/**
 * Returns the text of a node that decides its direction. Code does not count, because it is Latin in every language.
 */
export const directionTextOf = (node: RichNode): string => {
  if (typeof node === 'string') return node;
  return node.tag === 'code' || node.tag === 'pre' ? ' ' : node.children.map(directionTextOf).join(' ');
};
