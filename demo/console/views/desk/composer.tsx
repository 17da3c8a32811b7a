import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { callDesk } from '../../call-platform.ts';
import { replies, selectedId, send } from './desk-model.ts';

const TYPING_EVERY_MS = 3_000;

/** Where a person writes. Enter sends, Shift and Enter begin a new line. */
export function Composer(): VNode {
  const text = useSignal('');
  const field = useRef<HTMLTextAreaElement>(null);
  const toldAt = useRef(0);
  useEffect(() => field.current?.focus(), []);
  const tellTyping = (): void => {
    const now = Date.now();
    if (now - toldAt.current < TYPING_EVERY_MS || text.value === '') return;
    toldAt.current = now;
    // Nothing depends on it: when it is lost, the visitor sees no dots.
    void callDesk('POST', `/requests/${selectedId.value}/typing`, { state: 'started' }).catch(() => {});
  };
  const submit = (): void => {
    send(text.value);
    text.value = '';
    toldAt.current = 0;
    field.current?.focus();
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <textarea
        ref={field}
        aria-label="Message"
        placeholder="Write to the visitor …"
        rows={2}
        dir="auto"
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          tellTyping();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          submit();
        }}
      />
      <div class="actions">
        {replies.value.length > 0 && (
          <select
            aria-label="Canned reply"
            value=""
            onChange={({ currentTarget }) => {
              const reply = replies.value.find(({ id }) => id === currentTarget.value);
              if (reply === undefined) return;
              text.value = [text.value, reply.text].filter(Boolean).join(' ');
              currentTarget.value = '';
              field.current?.focus();
            }}
          >
            <option value="">Canned reply …</option>
            {replies.value.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
        <button type="submit" class="main" disabled={text.value.trim() === ''}>
          Send
        </button>
      </div>
    </form>
  );
}
