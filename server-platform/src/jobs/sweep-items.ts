import type { RetryLater } from './retry-later.ts';

/** Options of {@link sweepItems}. */
export interface SweepItemsOptions<Item> {
  readonly work: (item: Item) => Promise<void>;
  /** Called once per failed item; the item is retried later and the sweep continues. */
  readonly onFailure: (error: unknown, item: Item) => void;
  readonly later: RetryLater<Item>;
  /** Items processed concurrently. Default: 1. */
  readonly atOnce?: number;
}

/** Processes every due item. A failed item does not stop the others. Never rejects. */
export async function sweepItems<Item>(
  items: readonly Item[],
  { work, onFailure, later, atOnce = 1 }: SweepItemsOptions<Item>,
): Promise<void> {
  const left = items.filter((item) => later.isDue(item)).values();
  const run = async (): Promise<void> => {
    for (const item of left) {
      try {
        await work(item);
        later.noteSuccess(item);
      } catch (error) {
        later.noteFailure(item);
        onFailure(error, item);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, run));
}
