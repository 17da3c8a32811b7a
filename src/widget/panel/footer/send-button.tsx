import { useComputed } from '@preact/signals';
import type { VNode } from 'preact';
import { isBlank } from '../../../client/index.ts';
import { Icon, SEND, STOP } from '../../icons.tsx';
import { useDelayedValue } from '../../signals/use-delayed-value.ts';
import { usePanel } from '../model/panel-model.ts';

/**
 * Submits the composer's form. While an answer streams and the field is empty, it stops the answer. `aria-disabled`, because
 * a disabled button would lose the focus.
 */
export function SendButton(): VNode {
  const { chat, strings, hasFiles, focusComposer } = usePanel();
  const isEmpty = useComputed(() => isBlank(chat.unsent.value) && !hasFiles.value);
  // Delayed, because most answers arrive before a visitor could stop them. Not held, because after the end there is
  // nothing to stop.
  const canStop = useDelayedValue(() => chat.canStopAnswer.value || null, 0);
  const isStop = useComputed(() => canStop.value === true && isEmpty.value);
  const isDisabled = useComputed(() => isEmpty.value && !isStop.value);
  const stop = (event: MouseEvent) => {
    // Ignores the second click of a double click on "Send".
    if (event.detail > 1) return;
    chat.stopAnswer();
    focusComposer();
  };
  return isStop.value ? (
    <button type="button" class="send" part="send" aria-label={strings.value.stopAnswer} onClick={stop}>
      <Icon path={STOP} />
    </button>
  ) : (
    <button
      type="submit"
      class="send"
      part="send"
      aria-label={strings.value.send}
      aria-disabled={isDisabled.value}
    >
      <Icon path={SEND} />
    </button>
  );
}
