import type { Conversation } from '@natter/sdk';
import type { InferOutput } from 'valibot';
import type { conversationRowView } from './console-schemas.ts';

const FIRST_WORDS = 160;

/** A conversation in a list. */
export function toRow(conversation: Conversation): InferOutput<typeof conversationRowView> {
  const { turns, metrics } = conversation;
  const latencies = turns.flatMap(({ latency }) => latency ?? []).toSorted((a, b) => a - b);
  const ratings = [metrics['FEEDBACK'] ?? []].flat();
  return {
    id: conversation.id,
    started_at: conversation.started_at,
    channel: conversation.channel,
    variant_name: conversation.variant_name,
    in_progress: conversation.in_progress,
    num_turns: conversation.num_turns,
    duration_seconds: conversation.total_duration,
    handoff: conversation.handoff,
    median_latency_seconds: latencies[Math.floor(latencies.length / 2)] ?? null,
    score: [metrics['CSAT_SCORE'] ?? []].flat().at(-1) ?? null,
    thumbs_up: ratings.filter((rating) => rating.includes('"up"')).length,
    thumbs_down: ratings.filter((rating) => rating.includes('"down"')).length,
    first_words: (turns.find(({ user_input }) => user_input !== '')?.user_input ?? '').slice(0, FIRST_WORDS),
  };
}
