import type { Entry } from '../desk/desk-types.ts';
import type { StoryNote } from './merge-story.ts';

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

/** One step of a conversation's life. */
export interface LifeStep {
  readonly at: string;
  /** Of the last of several equal steps; null: it is one. */
  readonly until: string | null;
  readonly kind: string;
  readonly summary: string;
  /** Null: it is stored. */
  readonly node: string | null;
  /** Null: nothing was said, or texts were not asked for. */
  readonly text: string | null;
}

/** A part of a conversation's life. */
export interface Life {
  readonly session: { readonly id: string; readonly trace_id: string | null } | null;
  readonly steps: readonly LifeStep[];
  readonly notes: readonly string[];
  readonly next_after: number | null;
}

/** Actions of people in a conversation; `GET /console/api/openapi.json` describes it. */
export interface PeoplePart {
  readonly entries: readonly Entry[];
  readonly is_cut: boolean;
  readonly notes: readonly StoryNote[];
  readonly requests: readonly {
    readonly id: string;
    readonly queue_name: string;
    readonly person_name: string | null;
    readonly requested_at: string;
    readonly tags: readonly string[];
  }[];
}
