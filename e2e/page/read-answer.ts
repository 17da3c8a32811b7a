/** The value in the answer of a browser's driver under these nested names; undefined if there is none. */
export const readAnswer = (answer: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>(
    (within, name) => (typeof within === 'object' && within !== null ? Reflect.get(within, name) : undefined),
    answer,
  );

/** The same where only a text will do, such as the id of a tab. */
export function readText(answer: unknown, ...names: readonly string[]): string {
  const text = readAnswer(answer, ...names);
  if (typeof text !== 'string') throw new Error(`No text at ${names.join('.')}: ${JSON.stringify(answer)}`);
  return text;
}
