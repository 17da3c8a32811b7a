import { setImmediate } from 'node:timers/promises';

/** Long work on an external body: each step is one slice, and the return value is the result. */
export type Slices<Result> = Generator<undefined, Result, undefined>;

/** Characters per slice, which takes less than a tenth of a millisecond. */
export const SLICE_CHARACTERS = 1_024;

let nextTurn: Promise<void> = Promise.resolve();

/**
 * Runs work in slices. One slice of all pending work runs per event loop turn, so that a hundred large bodies delay
 * other requests no longer than one does.
 */
export async function runInSlices<Result>(work: Slices<Result>): Promise<Result> {
  for (;;) {
    const slice = work.next();
    if (slice.done === true) return slice.value;
    nextTurn = nextTurn.then(() => setImmediate());
    await nextTurn;
  }
}
