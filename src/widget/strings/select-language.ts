import { LOADERS, type StringOverrides } from './catalogue.ts';

/** A language tag in full, such as `zh-Hant-TW` for `zh_TW`; empty when it is none. */
function readTag(tag: string | null | undefined): Partial<Intl.Locale> {
  try {
    return new Intl.Locale((tag ?? '').replace('_', '-')).maximize();
  } catch {
    return {};
  }
}

/** What our texts are kept under: the language without its region, Traditional Chinese apart from Simplified. */
function nameLanguage(tag: string | null | undefined): string {
  const { script, language = '' } = readTag(tag);
  return script === 'Hant' ? 'zh-Hant' : language;
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
  const { region } = readTag(visitorLanguages[0]);
  return own ?? new Intl.Locale(language, region ? { region } : {}).toString();
}
