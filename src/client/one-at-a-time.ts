import { callSafely } from './call-safely.ts';

/**
 * Handles items in order: an item added while another is being handled waits until that is complete. An error, for
 * example of a signal's subscriber, is reported and does not stop the waiting items.
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
