import { isCommonWord } from '../intents/detect-language.ts';
import type { KnowledgeAgentConfig } from '../knowledge-agent-config.ts';
import type { KnowledgeIndex } from '../passages/knowledge-index.ts';
import type { ReadMessage } from '../reply-to-intent.ts';
import { articleLanguage } from '../small-talk.ts';
import { translate } from '../text/translate.ts';

// Shorter words of two languages look alike by chance.
const MIN_KNOWN_LETTERS = 4;

/** The message in the words of English articles; null when it is in their language, or nothing in it is known. */
export function translateMessage(
  text: string,
  { language }: Pick<ReadMessage, 'language'>,
  config: KnowledgeAgentConfig,
  index: KnowledgeIndex,
): string | null {
  if (articleLanguage(config) !== 'en' || language === 'en') return null;
  const places = new Set(config.places.flatMap((name) => name.toLowerCase().split(' ')));
  return translate(
    text,
    language,
    (word) =>
      places.has(word) ||
      (word.length >= MIN_KNOWN_LETTERS && index.surfaces.has(word) && !isCommonWord(word, language)),
  );
}
