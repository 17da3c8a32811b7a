/** Converts a text for a `text` column: U+0000 and lone surrogates become U+FFFD. */
export function storableText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches U+0000 on purpose.
  return text.replace(/[\u0000\p{Surrogate}]/gu, '\uFFFD');
}

/**
 * SQL that reads a `json` column as {@link storableText} has its texts. Of a value with U+0000 or half of a surrogate pair,
 * which visitors may send, the database else reads no field: the statement fails. Both are escapes in what the platform writes.
 */
export const readableJson = (column: string): string =>
  String.raw`CASE WHEN strpos(${column}::text, '\u') = 0 THEN ${column}
    ELSE regexp_replace(${column}::text, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g')::json END`;
