import type { Chat } from '../../client/index.ts';

/** Returns the text of a call. Throws a `TypeError` for any other type. */
export function readPrefill(input: unknown): string {
  if (typeof input !== 'string') throw new TypeError('prefill takes a text.');
  return input;
}

/** Creates the command `prefill`, which never replaces a text that the visitor has typed. */
export function createPrefill({
  unsent,
  setUnsent,
}: Pick<Chat, 'unsent' | 'setUnsent'>): (text: string) => Promise<void> {
  let prefilled = '';
  return async (input) => {
    const text = readPrefill(input);
    if (unsent.peek() !== '' && unsent.peek() !== prefilled) return;
    prefilled = text;
    setUnsent(text, false);
  };
}
