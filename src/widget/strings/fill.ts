import type { Counted } from './catalogue.ts';

const RIGHT_TO_LEFT = /[\u0590-\u08ff]/;

/** Whether a text has letters that are written from right to left. */
export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/**
 * Fills `{name}` places. Where either runs from right to left, what is filled in is isolated, so that a name or a
 * number does not turn the words around it. A place without a value stays visible: a mistake to be found.
 */
export function fill(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (place, key: string) => {
    const value = String(values[key] ?? place);
    return isRightToLeft(template + value) ? `\u2068${value}\u2069` : value;
  });
}

/** A text that counts, in the plural form and the figures of the locale. */
export function fillCount(forms: Counted, count: number, locale: string): string {
  const form = forms[new Intl.PluralRules(locale).select(count)] ?? forms.other;
  return fill(form, { count: new Intl.NumberFormat(locale).format(count) });
}

interface Span {
  readonly value: number;
  readonly unit: 'second' | 'minute';
}

/** A span of time as people say it. */
export const roundSpan = (seconds: number): Span =>
  seconds < 60
    ? { value: Math.max(1, Math.round(seconds)), unit: 'second' }
    : { value: Math.round(seconds / 60), unit: 'minute' };

/** When something will be, in words: `in 40 seconds`. The language's own grammar puts the noun into its case. */
export function formatDelay(seconds: number, locale: string): string {
  const { value, unit } = roundSpan(seconds);
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(value, unit);
}
