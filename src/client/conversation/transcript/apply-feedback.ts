import type { FeedbackPayload } from '../../../protocol/index.ts';
import type { Transcript } from './transcript-state.ts';

/** Applies the visitor's rating to its message; `null` removes the rating. Source: EXT-3. */
export function applyFeedback(
  transcript: Transcript,
  { message_id: messageId, rating, reason }: FeedbackPayload,
): Transcript {
  const at = transcript.entries.findLastIndex(({ item }) => item.key === `agent:${messageId}`);
  const entry = transcript.entries[at];
  if (entry?.item.kind !== 'agent') return transcript;
  const { feedback: _earlier, ...item } = entry.item;
  const delivery = { status: 'sent' } as const;
  const rated = rating ? { ...item, feedback: { rating, reason, delivery } } : item;
  const entries = [...transcript.entries];
  entries[at] = { ...entry, item: rated };
  return { ...transcript, entries };
}
