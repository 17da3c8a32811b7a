// Unicode's limit for text that is processed as a stream. Source: Unicode Standard Annex 15, section 13.
const LONG_RUN = /(\p{M}{30})(?=\p{M})/gu;
const GRAPHEME_JOINER = '\u034f';

/**
 * Breaks runs of more than 30 combining marks with an invisible character. Call it before `normalize`, which sorts a
 * run of marks in quadratic time: 64,000 of them block the thread for seconds.
 */
export function streamSafeText(text: string): string {
  return text.replace(LONG_RUN, `$1${GRAPHEME_JOINER}`);
}
