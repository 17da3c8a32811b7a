/** A conversation in a list; `GET /console/api/openapi.json` describes it. */
export interface ConversationRow {
  readonly id: string;
  readonly started_at: string;
  readonly channel: string;
  readonly variant_name: string;
  readonly in_progress: boolean;
  readonly num_turns: number;
  readonly duration_seconds: number;
  readonly handoff: boolean;
  readonly median_latency_seconds: number | null;
  readonly score: string | null;
  readonly thumbs_up: number;
  readonly thumbs_down: number;
  readonly first_words: string;
}

export interface ConversationPage {
  readonly conversations: readonly ConversationRow[];
  readonly cursor: string | null;
}

/** An event of a session's log. */
export interface LogEvent {
  readonly sequence: number;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly at: string;
}
