import { usePanel } from '../panel-model.ts';
import { createRef, useMounted, useOnce, type View, view } from '../view/index.ts';

/** Asks in the composer's place whether the chat is meant to end. */
export const ConfirmEnd: View = view(() => {
  const { chat, overlay, strings, focusComposer } = usePanel();
  const keep = useOnce(createRef<HTMLButtonElement>);
  useMounted(() => void keep.current?.focus());
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
});
