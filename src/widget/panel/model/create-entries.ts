import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-core';
import type { ChatState, TranscriptItem } from '../../../client/index.ts';

type Entry = ReadonlySignal<TranscriptItem>;

/** The entries of the transcript: the running chat's below the ended chats' that it continues. */
export interface Entries {
  readonly entries: ReadonlySignal<readonly Entry[]>;
  /** Indices at which a later chat begins; a divider is drawn there. */
  readonly chatStarts: ReadonlySignal<readonly number[]>;
  /**
   * Runs `begin`, which empties the transcript for a new chat, and keeps `above` over it: by default the entries of the ended
   * chat.
   */
  keepAbove(begin: () => Promise<void>, above?: readonly Entry[]): Promise<void>;
}

/** `signal` is aborted with the panel. */
export function createEntries(chat: ChatState, { signal: lifetime }: AbortController): Entries {
  const past = signal<readonly (readonly Entry[])[]>([]);
  let isBeginning = false;
  // A transcript that is emptied by anything else, such as a logout, leaves nothing behind.
  const stop = effect(() => {
    if (chat.messages.value.length === 0 && !isBeginning) past.value = [];
  });
  lifetime.addEventListener('abort', stop);

  return {
    entries: computed(() => {
      const kept = past.value.flat();
      if (kept.length === 0) return chat.messages.value;
      const known = new Set(kept);
      return [...kept, ...chat.messages.value.filter((entry) => !known.has(entry))];
    }),
    chatStarts: computed(() => {
      let length = 0;
      return past.value.map((entries) => (length += entries.length));
    }),
    async keepAbove(
      begin,
      // Messages that were not sent go into the new chat.
      above = chat.messages.peek().filter((entry) => {
        const item = entry.peek();
        return item.kind !== 'user' || item.delivery.status === 'sent';
      }),
    ) {
      isBeginning = true;
      past.value = [...past.peek(), above];
      try {
        await begin();
      } finally {
        isBeginning = false;
      }
    },
  };
}
