import type { Suggestion } from '../chat-state.ts';
import type { Conversation } from '../conversation/conversation-state.ts';
import { isUnconfirmed } from '../outbox/outbox-state.ts';

/** Suggestions of the latest agent message, until the visitor has said something. Source: messaging.md 7.5. */
export function selectSuggestions({ transcript, outbox }: Conversation): readonly Suggestion[] {
  if (outbox.some(isUnconfirmed)) return [];
  const latest = transcript.entries.findLast(({ item }) => item.kind !== 'system');
  return latest?.item.kind === 'agent' ? latest.suggestions : [];
}
