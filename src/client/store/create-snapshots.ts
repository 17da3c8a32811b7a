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
  const snapshot = computed<ChatSnapshot>(() =>
    Object.freeze({
      connection: state.connection.value,
      session: state.session.value,
      messages: messages.value,
      hasLostConnection: state.hasLostConnection.value,
      speaker: state.speaker.value,
      typing: state.typing.value,
      queue: state.queue.value,
      canCancelHandoff: state.canCancelHandoff.value,
      canStopAnswer: state.canStopAnswer.value,
      canGiveFeedback: state.canGiveFeedback.value,
      canRequestContact: state.canRequestContact.value,
      survey: state.survey.value,
      suggestions: state.suggestions.value,
      unread: state.unread.value,
      language: state.language.value,
      unsent: state.unsent.value,
    }),
  );
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
