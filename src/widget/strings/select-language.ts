import { LOADERS, type StringOverrides } from './catalogue.ts';

/** Reads a language tag; null for a text that is none. */
function readTag(tag: string | null | undefined): Intl.Locale | null {
  try {
    return new Intl.Locale((tag ?? '').replace('_', '-'));
  } catch {
    return null;
  }
}

/** What our texts are kept under: the language without its region, Traditional Chinese apart from Simplified. */
function nameLanguage(tag: string | null | undefined): string {
  const locale = readTag(tag);
  // Only for Chinese, because the browser's first `maximize` takes as long as drawing the header.
  if (locale?.language === 'zh' && locale.maximize().script === 'Hant') return 'zh-Hant';
  return locale?.language ?? '';
}

/**
 * The first of the wanted languages that there are texts for, else `en`. Browsers set in Traditional Chinese list a
 * bare `zh` after it, which then does not ask for Simplified. Source: messaging.md 14.
 */
export function selectLanguage(
  wanted: readonly (string | null | undefined)[],
  overrides?: StringOverrides | null,
): string {
  const names = wanted.map(nameLanguage);
  const isTraditional = names.includes('zh-Hant');
  return (
    names.find(
      (name, index) => name in { ...LOADERS, ...overrides } && !(isTraditional && wanted[index] === 'zh'),
    ) ?? 'en'
  );
}

/**
 * The locale for times and numbers: the visitor's own variant of the language, so that somebody with a British
 * browser reads a 24-hour clock in an English chat; else the language as it is used where the visitor is from.
 */
export function pickLocale(language: string, visitorLanguages: readonly string[]): string {
  const own = visitorLanguages.find((tag) => nameLanguage(tag) === language);
  if (own) return own;
  const region = readTag(visitorLanguages[0])?.maximize().region;
  return new Intl.Locale(language, region ? { region } : {}).toString();
}
