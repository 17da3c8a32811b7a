import { computed, effect, untracked } from '@preact/signals-core';
import { callSafely } from '../call-safely.ts';
import type { ChatClient, ChatSnapshot } from '../chat-client.ts';
import type { ChatState } from '../chat-state.ts';

/** The state as plain values, for views that do not read signals. */
export function createSnapshots(
  state: ChatState,
): Pick<ChatClient, 'getSnapshot' | 'getInitialSnapshot' | 'subscribe'> {
  // Computed apart, so that the list stays the same object when something else changes.
  const messages = computed(() => Object.freeze(state.messages.value.map((entry) => entry.value)));
  const snapshot = computed<ChatSnapshot>(() => {
    const values = Object.entries(state).map(([name, { value }]) => [name, value]);
    // Each signal's value under its name, as the type says.
    return Object.freeze({ ...Object.fromEntries(values), messages: messages.value });
  });
  const initial = snapshot.peek();
  return {
    getSnapshot: () => snapshot.peek(),
    getInitialSnapshot: () => initial,
    subscribe(listener) {
      let isFirst = true;
      return effect(() => {
        const current = snapshot.value;
        // Signals that the listener reads are none of the effect's.
        if (!isFirst) untracked(() => callSafely(listener, current));
        isFirst = false;
      });
    },
  };
}
