import type { Outbox } from '../conversation/outbox/outbox-state.ts';
import { isFresh, type StoredConversation } from './stored-conversation.ts';

/**
 * Ids of an earlier page's drafts that a new session does not send automatically. Drafts that waited for their first
 * session are sent, unless that was long ago.
 */
export function unaskedDrafts(
  restored: StoredConversation | null,
  outbox: Outbox,
  nowMs: number,
): readonly string[] {
  const isAwaited = isFresh(restored, nowMs) && restored.resumeTicket === '';
  const isQueued = (id: string): boolean =>
    outbox.some(({ localId, delivery }) => localId === id && delivery.status === 'queued');
  const ids = restored?.drafts.map(({ localId }) => localId) ?? [];
  return ids.filter((id) => !(isAwaited && isQueued(id)));
}
