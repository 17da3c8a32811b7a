import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePanel } from '../model/panel-model.ts';

/** A pasted text of this size fills the view. */
const LONG_CHARACTERS = 600;
const LONG_LINES = 12;

/** The text of a visitor's message; a long one is cut to its first lines until it is unfolded. */
export function LongText({ text }: { text: string }): VNode {
  const { strings } = usePanel();
  const isUnfolded = useSignal(false);
  const isLong = text.length > LONG_CHARACTERS || text.split('\n', LONG_LINES + 1).length > LONG_LINES;
  if (!isLong) return <>{text}</>;
  return (
    <>
      <span class={isUnfolded.value ? undefined : 'cut'}>{text}</span>
      <button
        type="button"
        class="unfold"
        aria-expanded={isUnfolded.value}
        onClick={() => {
          isUnfolded.value = !isUnfolded.peek();
        }}
      >
        {isUnfolded.value ? strings.value.showLess : strings.value.showMore}
      </button>
    </>
  );
}
