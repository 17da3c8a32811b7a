import { detectLanguage } from './intents/detect-language.ts';
import { GENERIC_STEMS } from './text/generic-stems.ts';
import { FILLER_WORDS } from './text/stop-words.ts';
import { tokenize } from './text/tokenize.ts';

// For a language without word lists here: recognised by its script, and its endings are kept.
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;

/** Returns the stems of the words that name a message's subject, for comparing messages. */
export function topicStems(text: string): ReadonlySet<string> {
  const language = detectLanguage(text) ?? (OTHER_SCRIPT.test(text) ? 'und' : 'en');
  // "Wi-fi" is one thing.
  const joined = text.replace(/(?<=\p{L})-(?=\p{L})/gu, '');
  const tokens = tokenize(joined, language).filter(({ isStopWord }) => !isStopWord);
  const topics =
    language === 'en'
      ? tokens.filter(({ surface, stem }) => !FILLER_WORDS.has(surface) && !GENERIC_STEMS.has(stem))
      : tokens;
  return new Set(topics.map(({ stem }) => stem));
}
