/** One announcement of the live region. */
export interface Announcement {
  /** Increases by one with each announcement. */
  readonly id: number;
  readonly text: string;
}

/** Announcements that stay in the live region; screen readers have read older ones. */
const KEPT = 6;

/** Appends an announcement and drops the oldest ones. */
export const appendAnnouncement = (
  before: readonly Announcement[],
  text: string,
): readonly Announcement[] => [...before.slice(1 - KEPT), { id: (before.at(-1)?.id ?? 0) + 1, text }];
