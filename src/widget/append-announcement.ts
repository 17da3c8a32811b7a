/** One sentence of the live region. */
export interface Announcement {
  /** Grows by one with each sentence. */
  readonly id: number;
  readonly text: string;
}

/** How many sentences stay in the live region; screen readers have read older ones. */
const KEPT = 6;

/** The sentences of the live region with another one at their end. */
export const appendAnnouncement = (
  before: readonly Announcement[],
  text: string,
): readonly Announcement[] => [...before.slice(1 - KEPT), { id: (before.at(-1)?.id ?? 0) + 1, text }];
