/** Entries by which the window moves. No group reaches over such a step, so that it is drawn as one or not at all. */
export const WINDOW_STEP = 25;
/** Entries that are drawn at most: enough to fill any screen several times over. */
const SIZE = 6 * WINDOW_STEP;
/** Fewer than this are drawn of a long conversation while its end is in view. */
const AT_END = 3 * WINDOW_STEP;

/** The entries that are drawn: from the first number on, and before the second. */
export type Window = readonly [from: number, to: number];

export const windowFrom = (from: number): Window => [from, from + SIZE];

/** The window that shows the last one of `count` entries. */
export const selectEndWindow = (count: number): Window =>
  windowFrom(Math.max(0, Math.ceil((count - AT_END) / WINDOW_STEP)) * WINDOW_STEP);
