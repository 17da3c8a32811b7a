/** A conversation that is open; `GET /console/api/openapi.json` describes it. */
export interface LiveConversation {
  readonly id: string;
  readonly started_at: string;
  readonly language: string;
  readonly variant_name: string;
  readonly channel: string;
  readonly num_turns: number;
  readonly state: 'agent' | 'waiting' | 'person';
  readonly last_words: string;
  readonly has_log: boolean;
  readonly request: {
    readonly id: string;
    readonly status: string;
    readonly person_id: string | null;
    readonly person_name: string | null;
  } | null;
}

export interface LiveList {
  readonly conversations: readonly LiveConversation[];
  readonly has_more: boolean;
}
