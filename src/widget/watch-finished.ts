import { effect } from '@preact/signals-core';
import type { ChatState, TranscriptItem } from '../client/index.ts';

/**
 * Calls back with entries that have just become complete: an answer that has come to its end, a notice, a
 * message of the visitor that could not be sent. What a restored conversation begins with is not news.
 */
export function watchFinished(
  chat: ChatState,
  onFinished: (items: readonly TranscriptItem[]) => void,
): () => void {
  let known: Set<string> | null = null;
  return effect(() => {
    const items = chat.messages.value.map(({ value }) => value);
    const fresh = items.filter((item) => isFinished(item) && !known?.has(item.key));
    const isRestored = known === null && items.some(({ kind }) => kind === 'user');
    if (items.length > 0) known ??= new Set();
    for (const { key } of fresh) known?.add(key);
    if (!isRestored && fresh.length > 0) onFinished(fresh);
  });
}

function isFinished(item: TranscriptItem): boolean {
  if (item.kind === 'user') return item.delivery.status === 'failed';
  return item.kind === 'system' || !item.isStreaming;
}
