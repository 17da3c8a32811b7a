import type { Chat } from '../../client/index.ts';

/** Returns the text of a call. Throws a `TypeError` for any other type. */
export function readPrefill(given: unknown): string {
  if (typeof given !== 'string') throw new TypeError('prefill takes a text.');
  return given;
}

/** Creates the command `prefill`, which never replaces a text that the visitor has typed. */
export function createPrefill({
  unsent,
  setUnsent,
}: Pick<Chat, 'unsent' | 'setUnsent'>): (text: string) => Promise<void> {
  let prefilled = '';
  return async (given) => {
    const text = readPrefill(given);
    if (unsent.peek() !== '' && unsent.peek() !== prefilled) return;
    prefilled = text;
    setUnsent(text, false);
  };
}
