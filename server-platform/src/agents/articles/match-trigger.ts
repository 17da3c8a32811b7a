import type { AgentTool, ToolSlot } from '../tools/agent-tool.ts';
import type { Article } from './passages/article.ts';
import { stem } from './text/stem.ts';
import { STOP_WORDS } from './text/stop-words.ts';
import { foldText } from './text/tokenize.ts';

/** A tool that a message calls for, and the input that the message holds. */
export interface MatchedTrigger {
  readonly tool: AgentTool;
  readonly input: Readonly<Record<string, string>>;
}

/** Finds the tool that a message calls for; null for a question to the articles. */
export type MatchTrigger = (text: string) => MatchedTrigger | null;

type Slots = Readonly<Record<string, ToolSlot>>;

/** A question of the corpus: an example of a tool, or a question of an article, whose tool is null. */
interface Sample {
  readonly tool: AgentTool | null;
  readonly words: ReadonlySet<string>;
  readonly slots: Slots;
  readonly mass: number;
}

const MAX_CHARACTERS = 400;

// Measured with `npm run eval -- agent`: below this a message shares no more than its frame with the example.
const LEAST_LIKENESS = 0.34;

// "When", "is there" and "how many" shape a question, but less than its nouns.
const FRAME_SHARE = 0.5;

/** Words of one kind are one word in a comparison: every day, every clock time, every number. */
const KINDS: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/\b\d{4}-\d\d-\d\d\b/g, ' =day '],
  [
    /\b(?:\d{1,2}(?:st|nd|rd|th)? (?:of )?)?(?:january|february|march|april|june|july|august|september|october|november|december)(?: \d{1,2}(?:st|nd|rd|th)?)?(?: \d{4})?\b/g,
    ' =day ',
  ],
  [
    /\b(?:(?:next|this|on|coming) )?(?:today|tonight|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|(?:new years?|christmas|boxing)(?: day| eve)?)s?\b/g,
    ' =day ',
  ],
  [
    /\b(?:\d{1,2}[:.]\d\d ?(?:am|pm)?|\d{1,2} ?(?:am|pm|o ?clock)|(?:half|quarter) (?:past|to) \w+|noon|midday|midnight)\b/g,
    ' =time ',
  ],
  [
    /\b(?:at|after|before|by|until|past|between|to|and) \d{1,2}\b(?! (?:adults?|child|people|kids|of))/g,
    ' =time ',
  ],
  [/\b(?:morning|afternoon|evening)s?\b/g, ' =time '],
  [/\b\d+\b/g, ' =number '],
];

/** A slot, compiled. `value` null: the matched text is the value. */
interface Filling {
  readonly name: string;
  readonly pattern: RegExp;
  readonly value: string | null;
}

/** Compiles slots; longer words stand before the shorter ones that they hold. */
function compileSlots(slots: Slots): readonly Filling[] {
  return Object.entries(slots).flatMap(([name, slot]): readonly Filling[] => {
    if (slot instanceof RegExp)
      return [{ name, pattern: new RegExp(slot.source, slot.flags.replace('g', '')), value: null }];
    return Object.entries(slot)
      .flatMap(([value, said]) => [value, ...said].map((word) => [foldText(word), value] as const))
      .sort(([one], [other]) => other.length - one.length)
      .map(([word, value]) => {
        const source = word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
        return { name, pattern: new RegExp(`\\b${source}\\b`), value };
      });
  });
}

/** Fills slots from a text. Returns the values by slot, and the text with the slots' names in their places. */
function fillSlots(
  text: string,
  fillings: readonly Filling[],
): { readonly input: Readonly<Record<string, string>>; readonly text: string } {
  const input: Record<string, string> = {};
  let rest = text;
  for (const { name, pattern, value } of fillings) {
    const found = pattern.exec(rest);
    if (found === null) continue;
    input[name] ??= value ?? found[1] ?? found[0];
    rest = `${rest.slice(0, found.index)} =${name} ${rest.slice(found.index + found[0].length)}`;
  }
  return { input, text: rest };
}

/** The words of a text as they are compared. */
function wordsOf(text: string): ReadonlySet<string> {
  const folded = KINDS.reduce(
    (rest, [pattern, kind]) => rest.replace(pattern, kind),
    foldText(text).replaceAll("'", ''),
  );
  return new Set((folded.match(/=?[a-z]+/g) ?? []).map((word) => (word.startsWith('=') ? word : stem(word))));
}

const IGNORED: ReadonlySet<string> = new Set(
  'the a an please pls hi hello hey thanks thank you ok so and do doe to of for on in me i we my our it that'.split(
    ' ',
  ),
);

/**
 * Compares messages with the examples of the tools and with the questions of the articles: the nearest decides. Slots
 * that an example names must be filled by the message.
 */
export function createTriggerMatcher(
  tools: readonly AgentTool[],
  articles: readonly Article[],
  synonymsOf: (stem: string) => readonly string[],
): MatchTrigger {
  const triggers = tools.flatMap((tool) =>
    (tool.triggers ?? []).map(({ examples, slots = {} }) => ({ tool, examples, slots })),
  );
  if (triggers.length === 0) return () => null;
  const everySlot = compileSlots(Object.assign({}, ...triggers.map(({ slots }) => slots)));
  const questions = articles.flatMap((article) => [...article.questions, article.title]);
  const texts: readonly Omit<Sample, 'mass'>[] = [
    ...triggers.flatMap(({ tool, examples, slots }) =>
      examples.map((example) => ({ tool, slots, words: wordsOf(example.replace(/\{(\w+)\}/g, ' =$1 ')) })),
    ),
    ...questions.map((text) => ({
      tool: null,
      slots: {},
      words: wordsOf(fillSlots(foldText(text), everySlot).text),
    })),
  ];
  const counts = new Map<string, number>();
  for (const { words } of texts) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const weightOf = (word: string): number => {
    if (IGNORED.has(word)) return 0;
    const rarity = Math.log(1 + texts.length / (1 + (counts.get(word) ?? 0)));
    return STOP_WORDS.has(word) ? rarity * FRAME_SHARE : rarity;
  };
  const massOf = (words: ReadonlySet<string>): number =>
    [...words].reduce((sum, word) => sum + weightOf(word), 0);
  const samples: readonly Sample[] = texts.map((each) => ({ ...each, mass: massOf(each.words) }));
  return (text) => {
    const folded = foldText(text.slice(0, MAX_CHARACTERS));
    const filled = fillSlots(folded, everySlot);
    const words = wordsOf(filled.text);
    const mass = massOf(words);
    let best: Sample | null = null;
    let likenessOfTool = 0;
    let likenessOfArticles = 0;
    const weighed = [...words].map((word) => ({ word, weight: weightOf(word), others: synonymsOf(word) }));
    for (const sample of samples) {
      let shared = 0;
      for (const { word, weight, others } of weighed) {
        if (sample.words.has(word)) shared += weight;
        else if (others.some((other) => sample.words.has(other))) shared += weight * SYNONYM_SHARE;
      }
      const isFilled = [...sample.words].every(
        (word) => sample.slots[word.slice(1)] === undefined || !word.startsWith('=') || words.has(word),
      );
      const likeness = isFilled ? shared / Math.max(mass + sample.mass - shared, shared) : 0;
      if (sample.tool === null) likenessOfArticles = Math.max(likenessOfArticles, likeness);
      else if (likeness > likenessOfTool) {
        best = sample;
        likenessOfTool = likeness;
      }
    }
    if (best === null || best.tool === null || likenessOfTool < LEAST_LIKENESS) return null;
    if (likenessOfTool < likenessOfArticles * TOOLS_ADVANTAGE) return null;
    const { tool, slots } = best;
    const own = Object.entries(filled.input).filter(([name]) => slots[name] !== undefined);
    return { tool, input: Object.fromEntries(own) };
  };
}

const SYNONYM_SHARE = 0.8;

// Of a tool and an article that match equally well, the tool answers, because it can still leave it to the articles.
const TOOLS_ADVANTAGE = 0.9;
