/** Converts a text for a `text` column: U+0000 and lone surrogates become U+FFFD. */
export function storableText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches U+0000 on purpose.
  return text.replace(/[\u0000\p{Surrogate}]/gu, '\uFFFD');
}

/**
 * SQL that reads a `json` column with the replacements of {@link storableText}. Otherwise a statement fails that reads a
 * field of a value with U+0000 or half of a surrogate pair, which visitors may send. Both are stored as escapes.
 */
export const readableJson = (column: string): string =>
  String.raw`CASE WHEN strpos(${column}::text, '\u') = 0 THEN ${column}
    ELSE regexp_replace(${column}::text, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g')::json END`;
