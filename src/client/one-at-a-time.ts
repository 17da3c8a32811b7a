import { callSafely } from './call-safely.ts';

/**
 * Handles items in order: one that comes up while another is handled waits until that is complete. What is thrown there, as
 * by somebody who reads a signal, is reported and holds up nothing that waits.
 */
export function oneAtATime<Item extends object>(handle: (item: Item) => void): (item: Item) => void {
  const waiting: Item[] = [];
  return (item) => {
    waiting.push(item);
    if (waiting.length > 1) return;
    for (let next: Item | undefined = item; next; next = waiting[0]) {
      callSafely(handle, next);
      waiting.shift();
    }
  };
}
