import * as v from 'valibot';
import { meView } from '../desk/index.ts';

const named = <const Entries extends v.ObjectEntries>(name: string, entries: Entries) =>
  v.pipe(v.object(entries), v.metadata({ name }));

/** Who is signed in, and where. */
export const consoleMeView = named('ConsoleMe', {
  me: meView,
  account: v.object({ id: v.string(), name: v.string() }),
  projects: v.array(
    named('ConsoleProject', {
      id: v.string(),
      slug: v.string(),
      name: v.string(),
      variants: v.array(v.object({ id: v.string(), name: v.string() })),
    }),
  ),
  /** Whether people can take conversations over here. */
  has_desk: v.boolean(),
  /** Address of the token proxy as browsers reach it; null: the platform does not know it. */
  token_proxy_url: v.nullable(v.string()),
});

/** A conversation in a list. */
export const conversationRowView = named('ConsoleConversationRow', {
  id: v.string(),
  started_at: v.string(),
  channel: v.string(),
  variant_name: v.string(),
  in_progress: v.boolean(),
  num_turns: v.number(),
  duration_seconds: v.number(),
  handoff: v.boolean(),
  median_latency_seconds: v.nullable(v.number()),
  /** The answer of the survey. */
  score: v.nullable(v.string()),
  thumbs_up: v.number(),
  thumbs_down: v.number(),
  /** What the visitor wrote first, cut off. */
  first_words: v.string(),
});

/** A page of the list. */
export const conversationListView = v.object({
  conversations: v.array(conversationRowView),
  /** Of the next page; null at the end. */
  cursor: v.nullable(v.string()),
});

const counts = v.record(v.string(), v.number());
const turnsView = named('ConsoleTurns', {
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
});

/** What happened in a range. Turns are 10000 at most, the latest of each interval. */
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
  topics: v.array(
    v.object({
      /** What one of the visitors asked, which stands for the others. */
      question: v.string(),
      count: v.number(),
      questions: v.array(v.object({ question: v.string(), id: v.string() })),
    }),
  ),
});

/** Conversations that are open now. */
export const liveListView = v.object({
  conversations: v.array(
    named('ConsoleLiveConversation', {
      id: v.string(),
      started_at: v.string(),
      language: v.string(),
      variant_name: v.string(),
      channel: v.string(),
      num_turns: v.number(),
      /** Who answers: the automated agent, no one yet, a human agent. */
      state: v.picklist(['agent', 'waiting', 'person']),
      /** What the visitor wrote last, cut off. */
      last_words: v.string(),
      /** Whether its log can be followed: chats in turns and calls have none. */
      has_log: v.boolean(),
      /** Its open request at the desk; null: there is none. */
      request: v.nullable(
        v.object({
          id: v.string(),
          status: v.string(),
          person_id: v.nullable(v.string()),
          person_name: v.nullable(v.string()),
        }),
      ),
    }),
  ),
  /** Whether more are open. */
  has_more: v.boolean(),
});
