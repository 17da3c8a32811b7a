import { effect, type ReadonlySignal } from '@preact/signals-core';
import type { ChatState, TranscriptItem } from '../client/index.ts';

/**
 * Calls back with entries that have just become complete: an answer that has come to its end, a notice, a
 * message of the visitor that could not be sent. What a restored conversation begins with is told apart: it is no news.
 */
export function onMessageComplete(
  chat: ChatState,
  onComplete: (items: readonly TranscriptItem[], isRestored: boolean) => void,
): () => void {
  const known = new WeakSet<ReadonlySignal<TranscriptItem>>();
  let isFirst = true;
  let messages: readonly ReadonlySignal<TranscriptItem>[] = [];
  /** Those that may still change: what a chunk costs depends on them and not on the history. */
  let unsettled = messages;
  return effect(() => {
    const isListNew = messages !== chat.messages.value;
    messages = chat.messages.value;
    const fresh: TranscriptItem[] = [];
    unsettled = (isListNew ? messages : unsettled).filter((entry) => {
      if (known.has(entry)) return false;
      // Only what is not settled is read in a way that brings this back when it changes.
      if (!isSettled(entry.peek()) && !isSettled(entry.value)) return true;
      known.add(entry);
      const item = entry.peek();
      if (item.kind !== 'user' || item.delivery.status === 'failed') fresh.push(item);
      return false;
    });
    const isRestored = isFirst && messages.some((entry) => entry.peek().kind === 'user');
    isFirst &&= messages.length === 0;
    if (fresh.length > 0) onComplete(fresh, isRestored);
  });
}

function isSettled(item: TranscriptItem): boolean {
  if (item.kind === 'user') return item.delivery.status === 'failed' || item.delivery.status === 'sent';
  return item.kind === 'system' || !item.isStreaming;
}
