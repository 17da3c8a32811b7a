import { LOADERS, type StringOverrides } from './catalogue.ts';

/** Parses a language tag; `null` if it is invalid. */
function readTag(tag: string | null | undefined): Intl.Locale | null {
  try {
    return new Intl.Locale((tag ?? '').replace('_', '-'));
  } catch {
    return null;
  }
}

/** Returns the key of our texts for a tag: the language without region, and `zh-Hant` for Traditional Chinese. */
function textsKeyOf(tag: string | null | undefined): string {
  // A script may pass a value of any type.
  const [code = ''] = `${tag ?? ''}`.toLowerCase().split(/[-_]/);
  // Returns early without `Intl`, because the first `Intl.Locale` of a page takes as long as rendering the header.
  if (!code || (code !== 'zh' && Object.hasOwn(LOADERS, code))) return code;
  const locale = readTag(tag);
  // Only for Chinese, because the first call of `maximize` takes as long as rendering the header.
  if (locale?.language === 'zh' && locale.maximize().script === 'Hant') return 'zh-Hant';
  return locale?.language ?? '';
}

/**
 * Returns the first wanted language with texts, else `en`. Browsers set to Traditional Chinese also list a bare `zh`, which
 * does not mean Simplified Chinese then. Source: messaging.md 14.
 */
export function selectLanguage(
  wanted: readonly (string | null | undefined)[],
  overrides?: StringOverrides | null,
): string {
  const keys = wanted.map(textsKeyOf);
  const isTraditional = keys.includes('zh-Hant');
  return (
    keys.find(
      (key, index) => key in { ...LOADERS, ...overrides } && !(isTraditional && wanted[index] === 'zh'),
    ) ?? 'en'
  );
}

/**
 * Selects the locale of times and numbers: the visitor's variant of the language, so that an English chat has a 24-hour
 * clock in a British browser; else the language with the visitor's region.
 */
export function pickLocale(language: string, visitorLanguages: readonly string[]): string {
  // Some browsers pass on the locale of their system: `en-US@posix`, `de_AT.UTF-8`. `Intl` takes no such tag.
  const tags = visitorLanguages.map((tag) => tag.replace(/[@.].*/, '').replace('_', '-'));
  const own = tags.find((tag) => textsKeyOf(tag) === language);
  if (own) return own;
  const region = readTag(tags[0])?.maximize().region;
  return new Intl.Locale(language, region ? { region } : {}).toString();
}
