import * as v from 'valibot';

const counts = v.record(v.string(), v.number());
const turnsView = v.pipe(
  v.object({
    /** Milliseconds since 1970; null: of the whole range. */
    bucket: v.nullable(v.number()),
    turns: v.number(),
    /** Milliseconds. */
    p50: v.nullable(v.number()),
    p95: v.nullable(v.number()),
    up: v.number(),
    down: v.number(),
    unanswered: v.number(),
    /** Answers to the survey, and their mean. */
    scored: v.number(),
    score: v.nullable(v.number()),
  }),
  v.metadata({ name: 'ConsoleTurns' }),
);

const topicView = v.object({
  /** The question of one visitor, as an example of the group. */
  question: v.string(),
  count: v.number(),
  /** Some of them, the latest first. */
  questions: v.array(v.object({ question: v.string(), id: v.string() })),
});

/** Figures of a time range. Based on at most 10,000 turns, the latest of each interval. */
export const overviewView = v.object({
  from_ms: v.number(),
  to_ms: v.number(),
  /** Length of the intervals; those in which nothing happened are left out. */
  bucket_ms: v.number(),
  buckets: v.array(
    v.object({
      bucket: v.number(),
      conversations: v.number(),
      handoffs: v.number(),
      variants: counts,
      languages: counts,
    }),
  ),
  turns: v.array(turnsView),
  total: v.nullable(turnsView),
  topics: v.array(topicView),
});

/** Figures of a time range. */
export type Overview = v.InferOutput<typeof overviewView>;

/** Questions about the same thing. */
export type Topic = v.InferOutput<typeof topicView>;
