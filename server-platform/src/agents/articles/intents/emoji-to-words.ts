import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { packageFile } from '../../../kit/package-files.ts';

const VARIATION = /\ufe0f|\p{Emoji_Modifier}/gu;

const FILE = packageFile('knowledge/emoji.yaml');

const words: Readonly<Record<string, string>> = parse(readFileSync(FILE, 'utf8'));

const WORD_BY_EMOJI: ReadonlyMap<string, string> = new Map(
  Object.entries(words).flatMap(([word, emoji]) =>
    emoji.split(' ').map((each) => [each.replace(VARIATION, ''), word] as const),
  ),
);

const EMOJI = new RegExp(
  [...WORD_BY_EMOJI.keys()].sort((one, other) => other.length - one.length).join('|'),
  'gu',
);

/** Replaces emoji with a meaning by a word, once for a run of the same emoji. */
export function emojiToWords(text: string): string {
  if (!/\p{Extended_Pictographic}/u.test(text)) return text;
  let last = '';
  return text.replace(VARIATION, '').replace(EMOJI, (emoji) => {
    const word = WORD_BY_EMOJI.get(emoji) ?? '';
    const isRepeated = word === last;
    last = word;
    return isRepeated ? ' ' : ` ${word} `;
  });
}
