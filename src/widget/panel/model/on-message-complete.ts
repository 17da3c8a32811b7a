import { effect, type ReadonlySignal } from '@preact/signals-core';
import type { ChatState, TranscriptItem } from '../../../client/index.ts';

/**
 * Calls `onComplete` with entries that have become complete: finished answers, notices, and messages of the visitor that
 * could not be sent. `isRestored` is true for the first entries of a restored conversation, which are not new.
 * Returns a function that stops it.
 */
export function onMessageComplete(
  chat: ChatState,
  onComplete: (items: readonly TranscriptItem[], isRestored: boolean) => void,
): () => void {
  const known = new WeakSet<ReadonlySignal<TranscriptItem>>();
  let isFirst = true;
  let messages: readonly ReadonlySignal<TranscriptItem>[] = [];
  /** Entries that may still change. Only these are read on a chunk, so that its cost does not grow with the history. */
  let unsettled = messages;
  return effect(() => {
    const isListNew = messages !== chat.messages.value;
    messages = chat.messages.value;
    const fresh: TranscriptItem[] = [];
    unsettled = (isListNew ? messages : unsettled).filter((entry) => {
      if (known.has(entry)) return false;
      // `value` subscribes this effect, `peek` does not: settled entries do not run it again.
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
