/** Strips an enum prefix and lower-cases: `REASON_USER_ENDED` → `user_ended`. */
export const stripEnumPrefix = <Prefix extends string, Name extends `${Prefix}${string}`>(
  prefix: Prefix,
  name: Name,
): Name extends `${Prefix}${infer Word}` ? Lowercase<Word> : never =>
  // Matches the type, because the compiler does not infer string methods.
  name.slice(prefix.length).toLowerCase() as Name extends `${Prefix}${infer Word}` ? Lowercase<Word> : never;
