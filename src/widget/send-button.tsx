import type { VNode } from 'preact';
import { Icon, SEND } from './icons.tsx';
import { usePanel } from './panel-model.ts';

/** Submits the composer's form. `aria-disabled`, because a disabled button would lose the focus. */
export function SendButton(): VNode {
  const { chat, strings } = usePanel();
  return (
    <button
      type="submit"
      class="send"
      part="send"
      aria-label={strings.value.send}
      aria-disabled={!chat.unsent.value.trim()}
    >
      <Icon path={SEND} />
    </button>
  );
}
