/** The window moves by this many entries. No group spans two steps, so that groups are drawn whole. */
export const WINDOW_STEP = 25;
/** Entries that are drawn at most: enough to fill any screen several times. */
const SIZE = 6 * WINDOW_STEP;
/** Entries that are drawn at most while the end of the conversation is in view. */
const AT_END = 3 * WINDOW_STEP;

/** The range of entries that is drawn; `to` is exclusive. */
export type Window = readonly [from: number, to: number];

export const windowFrom = (from: number): Window => [from, from + SIZE];

/** Returns the window with the last of `count` entries. */
export const selectEndWindow = (count: number): Window =>
  windowFrom(Math.max(0, Math.ceil((count - AT_END) / WINDOW_STEP)) * WINDOW_STEP);
