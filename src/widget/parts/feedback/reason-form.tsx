import type { Signal } from '@preact/signals-core';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FeedbackTexts } from './feedback-texts.ts';

/** Source: EXT-3. A field counts units of UTF-16, so it holds no more characters than that. */
const MAX_REASON_UNITS = 1_000;

interface ReasonFormProps {
  readonly label: string;
  readonly texts: FeedbackTexts;
  /** The text in the field. */
  readonly reason: Signal<string>;
  readonly onSend: (reason: string) => void;
  readonly onSkip: () => void;
  /** Closes the form and keeps its text. */
  readonly onClose: () => void;
}

/** A field for the reason of a rating, which can be skipped. */
export function ReasonForm({ label, texts, reason, onSend, onSkip, onClose }: ReasonFormProps): VNode {
  const form = useRef<HTMLFormElement>(null);
  // The form opens below the answer, which is often at the end of the visible area.
  useLayoutEffect(() => form.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <form
      class="reason"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        onSend(reason.peek());
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // Escape closes the field, not the chat.
        event.stopPropagation();
        onClose();
      }}
    >
      <textarea
        rows={2}
        value={reason.value}
        // An empty field shows its placeholder, which has the direction of the panel.
        dir={reason.value ? 'auto' : undefined}
        maxLength={MAX_REASON_UNITS}
        aria-label={label}
        placeholder={label}
        onInput={({ currentTarget }) => {
          reason.value = currentTarget.value;
        }}
      />
      <div class="reason-actions">
        <button type="button" class="text-button" onClick={onSkip}>
          {texts.skip}
        </button>
        <button type="submit" class="button primary">
          {texts.send}
        </button>
      </div>
    </form>
  );
}
