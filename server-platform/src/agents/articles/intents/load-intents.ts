import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { parse } from 'yaml';
import { packageFile } from '../../../kit/package-files.ts';
import { compilePhrases, expand, spacingOf, type WordLists } from '../text/compile-phrase.ts';
import { foldMessage } from '../text/fold-message.ts';

/** The agent's reaction to an intent. */
export type IntentAction =
  | 'emergency'
  | 'handoff'
  | 'regret'
  | 'booking'
  | 'contact'
  | 'assist'
  | 'small_talk'
  | 'off_topic';

/** The phrases of one intent in one language. */
export interface IntentPhrases {
  readonly intent: string;
  readonly action: IntentAction;
  readonly language: string;
  readonly within: RegExp | null;
  readonly whole: RegExp | null;
  /** Words that resemble the intent but do not mean it. They are removed before the phrases are searched for. */
  readonly not: RegExp | null;
  /** For a courtesy such as a greeting, which may surround another request: finds its phrases anywhere. */
  readonly courtesy: RegExp | null;
}

/** The longer words of one language by their first letter. */
export type Vocabulary = ReadonlyMap<string, ReadonlySet<string>>;

/** All intents, in the order in which they are tried, and the words of their phrases. */
export interface Intents {
  readonly phrases: readonly IntentPhrases[];
  /** Longer words by language and first letter, for spelling correction; only for languages with an alphabet. */
  readonly vocabulary: ReadonlyMap<string, Vocabulary>;
  /** Courtesies that may surround a whole message, by language. */
  readonly courtesies: ReadonlyMap<string, RegExp>;
}

const FOLDER = packageFile('knowledge/intents');

const intentSchema = v.strictObject({
  intent: v.string(),
  /** Intents with lower numbers are tried first. */
  order: v.number(),
  action: v.picklist([
    'emergency',
    'handoff',
    'regret',
    'booking',
    'contact',
    'assist',
    'small_talk',
    'off_topic',
  ]),
  /** Courtesies are taken off both ends before a phrase must be the whole message. */
  courtesy: v.optional(v.boolean(), false),
  languages: v.record(
    v.string(),
    v.strictObject({
      words: v.optional(v.record(v.string(), v.string()), {}),
      phrases: v.array(v.string()),
      not: v.optional(v.array(v.string()), []),
    }),
  ),
});

type IntentFile = v.InferOutput<typeof intentSchema>;

let loaded: Intents | null = null;

/** The intents that come with the platform; read once. */
export function loadIntents(): Intents {
  if (loaded !== null) return loaded;
  const files = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => v.parse(intentSchema, parse(readFileSync(join(FOLDER, name), 'utf8'))));
  loaded = compileIntents(files);
  warmUp(loaded);
  return loaded;
}

/** A pattern is compiled when it first runs, which would make the first visitor wait. */
function warmUp({ phrases }: Intents): void {
  for (const { language, ...patterns } of phrases) {
    const text = spacingOf(language) === 'words' ? ' a b ' : ' \u3042 \u05d0 ';
    for (const pattern of [patterns.within, patterns.whole, patterns.not]) {
      if (pattern !== null) text.search(pattern);
    }
  }
}

interface Entry {
  readonly file: IntentFile;
  readonly language: string;
  readonly words: WordLists;
  readonly phrases: readonly string[];
  readonly not: readonly string[];
}

function compileIntents(files: readonly IntentFile[]): Intents {
  const inOrder = [...files].sort((one, other) => one.order - other.order);
  const entries: readonly Entry[] = inOrder.flatMap((file) =>
    Object.entries(file.languages).map(([language, data]) => ({ file, language, ...data })),
  );
  return {
    phrases: entries
      .filter(({ file }) => file.intent !== POLITENESS)
      .map(({ file, language, words, phrases, not }) => ({
        intent: file.intent,
        action: file.action,
        language,
        ...compilePhrases(phrases, words, language),
        not: compilePhrases(not, words, language).within,
        courtesy: file.courtesy ? compilePhrases(phrases.map(anywhere), words, language).within : null,
      })),
    vocabulary: vocabularyOf(entries),
    courtesies: courtesiesOf(entries),
  };
}

// Words such as "please" surround a request but are not one.
const POLITENESS = 'politeness';

const anywhere = (phrase: string): string => phrase.replace(/^=\s*/, '');

/** A word of one language must not be corrected to a word of another: Italian "parte" is not Spanish "parto". */
function vocabularyOf(entries: readonly Entry[]): ReadonlyMap<string, Vocabulary> {
  const languages = [...new Set(entries.map(({ language }) => language))];
  return new Map(
    languages
      .filter((language) => spacingOf(language) === 'words')
      .map((language) => {
        const own = entries.filter((each) => each.language === language);
        return [
          language,
          byFirstLetter(
            own.flatMap(({ words, phrases }) => phrases.flatMap((phrase) => wordsIn(phrase, words))),
          ),
        ];
      }),
  );
}

function byFirstLetter(words: readonly string[]): Vocabulary {
  const result = new Map<string, Set<string>>();
  for (const word of words) {
    const known = result.get(word.charAt(0)) ?? new Set<string>();
    result.set(word.charAt(0), known.add(word));
  }
  return result;
}

const MIN_CORRECTED_LETTERS = 5;

function wordsIn(phrase: string, lists: WordLists): readonly string[] {
  return anywhere(phrase)
    .split(/\s+/)
    .filter((element) => !element.startsWith('...'))
    .flatMap((element) => expand(element.replace(/\?$/, ''), lists))
    .flatMap((word) => foldMessage(word.replaceAll('_', ' ')).words.trim().split(' '))
    .filter((word) => word.length >= MIN_CORRECTED_LETTERS);
}

function courtesiesOf(entries: readonly Entry[]): ReadonlyMap<string, RegExp> {
  const courtesies = entries.filter(({ file }) => file.courtesy);
  return new Map(
    [...new Set(courtesies.map(({ language }) => language))].flatMap((language) => {
      const own = courtesies.filter((each) => each.language === language);
      const phrases = own.flatMap((each) => each.phrases.map(anywhere));
      const lists: WordLists = Object.assign({}, ...own.map(({ words }) => words));
      const { within } = compilePhrases(phrases, lists, language);
      return within === null ? [] : [[language, within] as const];
    }),
  );
}
