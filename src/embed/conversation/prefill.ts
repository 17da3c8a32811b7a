import type { Chat } from '../../client/index.ts';

/** The text that a page gave. Throws a `TypeError` for anything else. */
export function readPrefill(given: unknown): string {
  if (typeof given !== 'string') throw new TypeError('prefill takes a text.');
  return given;
}

/** The command `prefill`. Replaces nothing that the visitor has typed. */
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
