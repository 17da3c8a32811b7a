import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { lazy } from '../../../kit/lazy.ts';
import { packageFile } from '../../../kit/package-files.ts';
import { stem } from './stem.ts';
import { foldText } from './tokenize.ts';

/** The memory after a message has filled a slot again. */
export interface ReplacedSlots {
  readonly words: string;
  /** The words that no longer hold. */
  readonly replaced: ReadonlySet<string>;
}

/** Words that stand for each other in a follow-up: "and for a caravan?" replaces the vehicle that was asked about. */
export interface Slots {
  /** Whether a message only fills slots ("and for a caravan?"). */
  readonly isOnlySlots: (stems: readonly string[]) => boolean;
  /** Whether a text names another filling of a slot than the one asked for, and not that one: Leeds for York. */
  readonly isAboutOther: (stems: ReadonlySet<string>, asked: readonly string[]) => boolean;
  /** Removes remembered words that the new message replaces: another place, vehicle, person or day. */
  readonly replace: (remembered: string, message: string) => ReplacedSlots;
  /** Whether an article is about something else than what a message names: pets when it asks for a car. */
  readonly isOfReplaced: (slug: string, replaced: ReplacedSlots) => boolean;
}

const loadLists: () => Readonly<Record<string, string>> = lazy(() =>
  parse(readFileSync(packageFile('knowledge/slots.yaml'), 'utf8')),
);

/** The slots of every company, and the company's own groups of names that stand for each other. */
export function createSlots(own: readonly (readonly string[])[] = []): Slots {
  const slotByWord = new Map<string, string>();
  for (const [slot, words] of Object.entries(loadLists()))
    for (const word of words.split(' ')) slotByWord.set(word, slot);
  for (const [position, names] of own.entries())
    for (const word of foldText(names.join(' ')).match(/[a-z]+/g) ?? [])
      slotByWord.set(word, `own ${position}`);
  const slotByStem = new Map([...slotByWord].map(([word, slot]) => [stem(word), slot]));
  const slotsIn = (text: string): ReadonlySet<string> =>
    new Set((foldText(text).match(/[a-z]+/g) ?? []).flatMap((word) => slotByWord.get(word) ?? []));
  return {
    isOnlySlots: (stems) => stems.length > 0 && stems.every((each) => slotByStem.has(each)),
    isAboutOther(stems, asked) {
      const wanted = new Set(asked.flatMap((each) => slotByStem.get(each) ?? []));
      if (wanted.size === 0) return false;
      const isNamed = (slot: string): boolean =>
        asked.some((each) => slotByStem.get(each) === slot && stems.has(each));
      return [...stems].some((each) => {
        const slot = slotByStem.get(each);
        return slot !== undefined && wanted.has(slot) && !isNamed(slot);
      });
    },
    replace(remembered, message) {
      const said = slotsIn(message.slice(0, 500));
      const replaced = new Set<string>();
      const words = foldText(remembered).replace(/[a-z]+/g, (word) => {
        const slot = slotByWord.get(word);
        if (slot === undefined || !said.has(slot)) return word;
        replaced.add(word);
        return ' ';
      });
      return { words, replaced };
    },
    isOfReplaced(slug, { replaced }) {
      const slots = new Set([...replaced].map((word) => slotByWord.get(word)));
      return slug.split('-').some((part) => replaced.has(part) || slots.has(slotByWord.get(part) ?? ''));
    },
  };
}
