import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { packageFile } from '../../../kit/package-files.ts';

const FILE = packageFile('knowledge/spellings.yaml');

const lists: Readonly<Record<string, string>> = parse(readFileSync(FILE, 'utf8'));

const WORD_BY_SPELLING: ReadonlyMap<string, string> = new Map(
  Object.entries(lists).flatMap(([word, spellings]) =>
    spellings.split(' ').map((spelling) => [spelling, word] as const),
  ),
);

/** Writes out what people abbreviate ("tmrw") or spell by ear ("fone") in a folded text. */
export function spellOut(foldedText: string): string {
  return foldedText.replace(/[a-z0-9]+/g, (word) => WORD_BY_SPELLING.get(word) ?? word);
}
