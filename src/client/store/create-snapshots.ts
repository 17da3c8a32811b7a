import { computed, effect, untracked } from '@preact/signals-core';
import { callSafely } from '../call-safely.ts';
import type { ChatClient, ChatSnapshot } from '../chat-client.ts';
import type { ChatStore } from './create-chat-store.ts';

/** The state as plain values, for views that do not read signals. */
export function createSnapshots({
  state,
  items,
}: Pick<ChatStore, 'state' | 'items'>): Pick<ChatClient, 'getSnapshot' | 'getInitialSnapshot' | 'subscribe'> {
  const signals = Object.entries({ ...state, messages: items });
  // Each signal's value under its name, as the type says.
  const snapshot = computed(
    () =>
      Object.freeze(Object.fromEntries(signals.map(([name, { value }]) => [name, value]))) as ChatSnapshot,
  );
  const initial = snapshot.peek();
  return {
    getSnapshot: () => snapshot.peek(),
    getInitialSnapshot: () => initial,
    subscribe(listener) {
      let isFirst = true;
      return effect(() => {
        const current = snapshot.value;
        // Untracked: signals the listener reads must not become dependencies.
        if (!isFirst) untracked(() => callSafely(listener, current));
        isFirst = false;
      });
    },
  };
}
