import type { VNode } from 'preact';
import { listKey } from '../../list-key.ts';
import { usePanel } from '../model/panel-model.ts';

/** Suggested replies to the latest answer, in one scrolling row above the composer. Source: messaging.md 7.5. */
export function Suggestions(): VNode | null {
  const { chat, direction, strings, send, focusComposer } = usePanel();
  const suggestions = chat.suggestions.value;
  if (suggestions.length === 0) return null;
  const onWheel = (event: WheelEvent) => {
    const row = event.currentTarget as HTMLElement;
    // Most mice have a vertical wheel only, and the scroll bar of the row is hidden.
    if (row.scrollWidth <= row.clientWidth || event.deltaX !== 0) return;
    event.preventDefault();
    row.scrollLeft += direction.peek() === 'rtl' ? -event.deltaY : event.deltaY;
  };
  return (
    <ul class="suggestions" aria-label={strings.value.suggestions} onWheel={onWheel}>
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
