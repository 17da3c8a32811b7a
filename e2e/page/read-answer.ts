/** Returns the value under these nested names in the response of a browser driver; undefined if there is none. */
export const readAnswer = (answer: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>(
    (within, name) => (typeof within === 'object' && within !== null ? Reflect.get(within, name) : undefined),
    answer,
  );

/** Returns such a value if it is a text, such as the id of a tab; throws otherwise. */
export function readText(answer: unknown, ...names: readonly string[]): string {
  const text = readAnswer(answer, ...names);
  if (typeof text !== 'string') throw new Error(`No text at ${names.join('.')}: ${JSON.stringify(answer)}`);
  return text;
}
