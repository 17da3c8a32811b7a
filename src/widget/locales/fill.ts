import type { Counted } from './catalogue.ts';

/** Hebrew to Arabic, their presentation forms, and Adlam. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|\ud83a[\udd00-\udd4b]/;
/** Controls of direction, which would order the words around a value. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Returns true if a text has letters of a right-to-left script. */
export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/**
 * Fills `{name}` placeholders. If the text or a value is right-to-left, values are isolated with Unicode marks, so that
 * they do not reorder the words around them. A placeholder without a value stays in the text, so that the fault is seen.
 */
export function fill(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (place, key: string) => {
    const value = String(values[key] ?? place).replace(DIRECTION_CONTROLS, '');
    return isRightToLeft(template + value) ? `\u2068${value}\u2069` : value;
  });
}

/** Returns a text with a count, in the plural form and the digits of the locale. */
export function fillCount(forms: Counted, count: number, locale: string): string {
  const form = forms[new Intl.PluralRules(locale).select(count)] ?? forms.other;
  return fill(form, { count: new Intl.NumberFormat(locale).format(count) });
}

interface Span {
  readonly value: number;
  readonly unit: 'second' | 'minute';
}

/** Rounds a duration to seconds below a minute, and to minutes above. */
export const roundSpan = (seconds: number): Span =>
  seconds < 60
    ? { value: Math.max(1, Math.round(seconds)), unit: 'second' }
    : { value: Math.round(seconds / 60), unit: 'minute' };

/** Formats a delay as `in 40 seconds`, with the grammar of the locale. */
export function formatDelay(seconds: number, locale: string): string {
  const { value, unit } = roundSpan(seconds);
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(value, unit);
}
