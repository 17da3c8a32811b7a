import { useComputed } from '@preact/signals';
import type { VNode } from 'preact';
import { Icon, SEND } from '../icons.tsx';
import { usePanel } from '../model/panel-model.ts';

/** Submits the composer's form. `aria-disabled`, because a disabled button would lose the focus. */
export function SendButton(): VNode {
  const { chat, strings } = usePanel();
  const isEmpty = useComputed(() => !chat.unsent.value.trim());
  return (
    <button type="submit" class="send" part="send" aria-label={strings.value.send} aria-disabled={isEmpty}>
      <Icon path={SEND} />
    </button>
  );
}
