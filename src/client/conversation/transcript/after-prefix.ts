/** What follows the prefix that all words of a kind have on the wire, in small letters. */
export const afterPrefix = <Prefix extends string, Name extends `${Prefix}${string}`>(
  prefix: Prefix,
  name: Name,
): Name extends `${Prefix}${infer Word}` ? Lowercase<Word> : never =>
  // The type says what the line below does; the compiler does not read methods of strings.
  name.slice(prefix.length).toLowerCase() as Name extends `${Prefix}${infer Word}` ? Lowercase<Word> : never;
