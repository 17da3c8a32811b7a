import type { InferOutput } from 'valibot';
import type { ConversationRow } from '../records/conversations/index.ts';
import type { conversationRowView } from './console-schemas.ts';

/** A conversation in a list. */
export function toRow(row: ConversationRow): InferOutput<typeof conversationRowView> {
  return {
    id: row.id,
    started_at: row.startedAt,
    channel: row.channel,
    variant_name: row.variantName,
    in_progress: row.isInProgress,
    num_turns: row.numTurns,
    duration_seconds: row.durationSeconds,
    handoff: row.isHandedOff,
    median_latency_seconds: row.medianLatencySeconds,
    score: row.score,
    thumbs_up: row.thumbsUp,
    thumbs_down: row.thumbsDown,
    first_words: row.firstWords,
  };
}
