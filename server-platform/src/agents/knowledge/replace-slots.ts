import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { stem } from './text/stem.ts';
import { foldText } from './text/tokenize.ts';

const FILE = new URL('../../../knowledge/slots.yaml', import.meta.url);

const lists: Readonly<Record<string, string>> = parse(readFileSync(FILE, 'utf8'));

const SLOT_BY_WORD: ReadonlyMap<string, string> = new Map(
  Object.entries(lists).flatMap(([slot, words]) => words.split(' ').map((word) => [word, slot] as const)),
);

const slotsIn = (text: string): ReadonlySet<string> =>
  new Set((foldText(text).match(/[a-z]+/g) ?? []).flatMap((word) => SLOT_BY_WORD.get(word) ?? []));

/** What is remembered once a message has filled a slot anew. */
export interface ReplacedSlots {
  readonly words: string;
  /** The words that no longer hold. */
  readonly replaced: ReadonlySet<string>;
}

/** Takes out of the words remembered what the new message says anew: another route, vehicle, person or day. */
export function replaceSlots(remembered: string, message: string): ReplacedSlots {
  const said = slotsIn(message.slice(0, 500));
  const replaced = new Set<string>();
  const words = foldText(remembered).replace(/[a-z]+/g, (word) => {
    const slot = SLOT_BY_WORD.get(word);
    if (slot === undefined || !said.has(slot)) return word;
    replaced.add(word);
    return ' ';
  });
  return { words, replaced };
}

/** Whether a message says nothing but what fills slots ("and for a caravan?"). */
export const isOnlySlots = (stems: readonly string[]): boolean =>
  stems.length > 0 && stems.every((each) => SLOT_STEMS.has(each));

const SLOT_STEMS: ReadonlySet<string> = new Set([...SLOT_BY_WORD.keys()].map(stem));
