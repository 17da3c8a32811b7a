import * as v from 'valibot';

/** Days for which a project keeps stored data after its end; null: forever. */
export type RetentionDays = {
  /** Session logs: events, and the session with its agent's state. */
  readonly events: number | null;
  /** Contents of conversations: transcripts, their vectors, chats over REST. */
  readonly turns: number | null;
  /** Whole conversations: the record, and everything covered by the two above. */
  readonly conversations: number | null;
  /** Stored audio. */
  readonly audio: number | null;
};

const LONGEST_DAYS = 36_500;
const DAYS_TEXT = `must be a whole number of days from 1 to ${LONGEST_DAYS}, or null to keep it indefinitely`;

const days = v.pipe(
  v.number(DAYS_TEXT),
  v.integer(DAYS_TEXT),
  v.minValue(1, DAYS_TEXT),
  v.maxValue(LONGEST_DAYS, DAYS_TEXT),
);
const kept = v.optional(v.nullable(days), null);

const RETENTION_TEXT = `must be a number of days, or an object of events, turns, conversations and audio, each ${DAYS_TEXT}`;

/**
 * The schema of a project's `retention_days` in files and in the database: one number for all kinds, or one per kind.
 */
export const retentionDaysSchema: v.GenericSchema<unknown, RetentionDays> = v.union(
  [
    v.pipe(
      days,
      v.transform((all) => ({ events: all, turns: all, conversations: all, audio: all })),
    ),
    v.strictObject({ events: kept, turns: kept, conversations: kept, audio: kept }),
  ],
  RETENTION_TEXT,
);

/** Retention when nothing is configured: everything is kept. */
export const NO_RETENTION: RetentionDays = { events: null, turns: null, conversations: null, audio: null };

// A day removed as a whole is removed up to a day late, which matters little after a week. Every day has its own
// partition, and each one makes statements on the log slightly slower.
const BY_PARTITION = { leastDays: 7, mostDays: 100 };

/** Whether events kept for this many days are removed by partition, each for the sessions started on one day. */
export function isRetentionByPartition(days: number | null): days is number {
  return days !== null && days >= BY_PARTITION.leastDays && days <= BY_PARTITION.mostDays;
}

/** Reads the stored setting. Throws for an invalid one, so that no data is removed by mistake. */
export function readRetentionDays(stored: unknown): RetentionDays {
  return stored === undefined || stored === null ? NO_RETENTION : v.parse(retentionDaysSchema, stored);
}
