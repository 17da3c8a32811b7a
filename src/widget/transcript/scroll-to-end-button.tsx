import type { ReadonlySignal } from '@preact/signals-core';
import type { VNode } from 'preact';
import { ARROW_DOWN, Icon } from '../icons.tsx';
import { usePanel } from '../model/panel-model.ts';
import type { AutoScroll } from './auto-scroll.ts';

/** Leads to the latest message when it is below the view, and says so when it is new. */
export function ScrollToEndButton({ scroll }: { scroll: ReadonlySignal<AutoScroll | null> }): VNode | null {
  const { strings } = usePanel();
  const below = scroll.value?.below.value ?? 'nothing';
  if (below === 'nothing') return null;
  const isNew = below === 'new';
  return (
    <button
      type="button"
      class={isNew ? 'below new' : 'below'}
      aria-label={isNew ? undefined : strings.value.toLatest}
      onClick={() => scroll.peek()?.goToEnd()}
    >
      <Icon path={ARROW_DOWN} size={16} />
      {isNew && strings.value.newBelow}
    </button>
  );
}
