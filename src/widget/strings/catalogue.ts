import { en } from './en.ts';

export type StringKey = keyof typeof en;
/** The widget's own texts in one language. */
export type Strings = Readonly<Record<StringKey, string>>;

/** Catalogues besides English, each fetched when it is first needed. Keys are BCP-47 tags or their first part. */
const LOADERS: Readonly<Record<string, () => Promise<Strings>>> = {};

const RIGHT_TO_LEFT = /^(?:ar|arc|ckb|dv|fa|he|iw|ks|ku-arab|nqo|pa-arab|ps|sd|syr|ug|ur|yi)(?:-|$)/i;

/** The texts for a language, or the English ones. Source: messaging.md 14. */
export async function loadStrings(language: string): Promise<Strings> {
  const tag = language.toLowerCase();
  const load = LOADERS[tag] ?? LOADERS[tag.split('-', 1)[0] ?? tag];
  return load ? await load() : en;
}

export function directionOf(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.test(language) ? 'rtl' : 'ltr';
}

/** Fills `{name}` places. A place without a value stays visible, because that is a mistake to be found. */
export function fill(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (place, key: string) => String(values[key] ?? place));
}

/**
 * The locale for times and numbers: the visitor's own variant of the conversation's language, so that somebody
 * with a British browser reads a 24-hour clock in an English chat.
 */
export function pickLocale(language: string, visitorLanguages: readonly string[]): string {
  const base = language.toLowerCase().split('-', 1)[0];
  const own = visitorLanguages.find((candidate) => candidate.toLowerCase().split('-', 1)[0] === base);
  return own ?? language;
}

/** A span of time in words: `40 seconds`, `3 minutes`. */
export function formatDuration(seconds: number, locale: string): string {
  const isShort = seconds < 60;
  const value = isShort ? Math.max(1, Math.round(seconds)) : Math.round(seconds / 60);
  const unit = isShort ? 'second' : 'minute';
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}
