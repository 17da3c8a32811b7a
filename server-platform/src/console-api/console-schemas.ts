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
  /** Beginning of the visitor's first message. */
  first_words: v.string(),
});

/** A page of the list. */
export const conversationListView = v.object({
  conversations: v.array(conversationRowView),
  /** Of the next page; null at the end. */
  cursor: v.nullable(v.string()),
});
