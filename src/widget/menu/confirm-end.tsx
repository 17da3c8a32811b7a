import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from '../panel-model.ts';

/** Asks in the composer's place whether the chat is meant to end. */
export function ConfirmEnd(): VNode | null {
  const { chat, overlay, strings, focusComposer } = usePanel();
  const keep = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => keep.current?.focus(), []);
  const stay = () => {
    overlay.value = 'none';
    // Once it is drawn.
    queueMicrotask(focusComposer);
  };
  const end = () => {
    overlay.value = 'none';
    void chat.endChat();
  };
  return (
    <div class="choice" role="alertdialog" aria-label={strings.value.confirmEnd}>
      <span>{strings.value.confirmEnd}</span>
      <span class="choice-actions">
        <button type="button" class="button quiet" ref={keep} onClick={stay}>
          {strings.value.confirmEndNo}
        </button>
        <button type="button" class="button danger" onClick={end}>
          {strings.value.menuEndChat}
        </button>
      </span>
    </div>
  );
}
