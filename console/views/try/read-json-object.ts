/** A JSON object as typed, or the reason why the text is not one. */
export type JsonObjectInput =
  | { readonly value: Readonly<Record<string, unknown>>; readonly problem: null }
  | { readonly value: null; readonly problem: string };

/** Parses a JSON object. */
export function readJsonObject(text: string): JsonObjectInput {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { value: { ...value }, problem: null };
    return { value: null, problem: 'Write an object, such as {"name": "Ada"}.' };
  } catch (error) {
    return {
      value: null,
      problem: error instanceof Error ? `This isn’t JSON: ${error.message}` : 'This isn’t JSON.',
    };
  }
}
