/** Reads typed JSON: an object, or the reason why it is not one. */
export type WrittenFacts =
  | { readonly value: Readonly<Record<string, unknown>>; readonly problem: null }
  | { readonly value: null; readonly problem: string };

/** Reads an object of JSON. */
export function readFacts(text: string): WrittenFacts {
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
