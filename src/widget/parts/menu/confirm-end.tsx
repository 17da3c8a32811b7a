import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from '../../panel/model/panel-model.ts';

/** Replaces the composer while the visitor confirms the end of the chat. */
export function ConfirmEnd(): VNode | null {
  const { chat, overlay, strings, focusComposer } = usePanel();
  const keep = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => keep.current?.focus(), []);
  const stay = () => {
    overlay.value = 'none';
    // After the composer has been rendered again.
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
