/** A text as a `text` column takes it: U+0000 and halves of surrogate pairs become U+FFFD. */
export function storableText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches U+0000 on purpose.
  return text.replace(/[\u0000\p{Surrogate}]/gu, '\uFFFD');
}
