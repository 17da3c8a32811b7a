import { setImmediate } from 'node:timers/promises';

/** Long work on an outside body in slices: one with each step, the result after the last. */
export type Slices<Result> = Generator<undefined, Result, undefined>;

/** Characters that a slice reads: less than a tenth of a millisecond of work. */
export const SLICE_CHARACTERS = 1_024;

let nextTurn: Promise<void> = Promise.resolve();

/**
 * Does work in slices. Of all work that is under way one slice is done per turn of the event loop, so that a hundred
 * large bodies hold up the other requests no longer than one does.
 */
export async function inSlices<Result>(work: Slices<Result>): Promise<Result> {
  for (;;) {
    const slice = work.next();
    if (slice.done === true) return slice.value;
    nextTurn = nextTurn.then(() => setImmediate());
    await nextTurn;
  }
}
