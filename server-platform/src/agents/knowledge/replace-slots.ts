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

const SLOT_BY_STEM: ReadonlyMap<string, string> = new Map(
  [...SLOT_BY_WORD].map(([word, slot]) => [stem(word), slot] as const),
);

/** Whether a text names another filling of a slot than the one asked for, and not that one: Farholm for Mewsay. */
export function isAboutOther(stems: ReadonlySet<string>, asked: readonly string[]): boolean {
  const wanted = new Set(asked.flatMap((each) => SLOT_BY_STEM.get(each) ?? []));
  if (wanted.size === 0) return false;
  const isNamed = (slot: string): boolean =>
    asked.some((each) => SLOT_BY_STEM.get(each) === slot && stems.has(each));
  return [...stems].some((each) => {
    const slot = SLOT_BY_STEM.get(each);
    return slot !== undefined && wanted.has(slot) && !isNamed(slot);
  });
}

/** What is remembered once a message has filled a slot anew. */
export interface ReplacedSlots {
  readonly words: string;
  /** The words that no longer hold. */
  readonly replaced: ReadonlySet<string>;
}

/** Whether an article is about something else than what a message names: pets when it asks for a car. */
export function isOfReplacedSlot(slug: string, { replaced }: ReplacedSlots): boolean {
  const slots = new Set([...replaced].map((word) => SLOT_BY_WORD.get(word)));
  return slug.split('-').some((part) => replaced.has(part) || slots.has(SLOT_BY_WORD.get(part) ?? ''));
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
