import type { VNode } from 'preact';
import { listKey } from '../list-key.ts';
import { usePanel } from '../model/panel-model.ts';

/** Suggested replies below the latest answer. Source: messaging.md 7.5. */
export function Suggestions(): VNode | null {
  const { chat, isOver, strings, send, focusComposer } = usePanel();
  const suggestions = chat.suggestions.value;
  if (isOver.value || suggestions.length === 0) return null;
  return (
    <ul class="suggestions" aria-label={strings.value.suggestions}>
      {suggestions.map(({ text }, index) => (
        <li key={listKey(index, text)}>
          <button
            type="button"
            class="suggestion"
            dir="auto"
            part="suggestion"
            title={text}
            onClick={() => {
              send(text);
              // Sending removes the suggestions, the focused one included.
              focusComposer();
            }}
          >
            <span>{text}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
