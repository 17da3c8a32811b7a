import { isCommonWord } from './intents/detect-language.ts';
import type { KnowledgeAgentConfig } from './knowledge-agent-config.ts';
import type { KnowledgeIndex } from './knowledge-index.ts';
import type { ReadMessage } from './reply-to-intent.ts';
import { articleLanguage } from './small-talk.ts';
import { translate } from './text/translate.ts';
import type { Sailings } from './time/sailings.ts';

// Shorter words of two languages look alike by chance.
const MIN_KNOWN_LETTERS = 4;

/** The message in the words of English articles; null when it is in their language, or nothing in it is known. */
export function translateMessage(
  text: string,
  { language }: Pick<ReadMessage, 'language'>,
  config: KnowledgeAgentConfig,
  index: KnowledgeIndex,
  sailings: Sailings | null,
): string | null {
  if (articleLanguage(config) !== 'en' || language === 'en') return null;
  const places = new Set((sailings?.placeNames ?? []).flatMap(([name]) => name.split(' ')));
  const translated = translate(
    text,
    language,
    (word) =>
      places.has(word) ||
      (word.length >= MIN_KNOWN_LETTERS && index.surfaces.has(word) && !isCommonWord(word, language)),
  );
  // Other languages have the ferry before or after these words: "next to Tarrow" would be a place beside it.
  return translated?.replace(/\b(next|last|first) (?=to\b)/g, '$1 ferry ') ?? null;
}
