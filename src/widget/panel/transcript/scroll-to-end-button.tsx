import type { ReadonlySignal } from '@preact/signals-core';
import type { VNode } from 'preact';
import { ARROW_DOWN, Icon } from '../../icons.tsx';
import { fillCount } from '../../locales/fill.ts';
import { usePanel } from '../model/panel-model.ts';
import type { AutoScroll } from './auto-scroll.ts';

/** Scrolls to the latest message when it is below the view, and shows how many messages arrived there. */
export function ScrollToEndButton({ scroll }: { scroll: ReadonlySignal<AutoScroll | null> }): VNode | null {
  const { strings, locale } = usePanel();
  const count = scroll.value?.below.value ?? null;
  if (count === null) return null;
  const { value: texts } = strings;
  const label = texts.toLatest;
  return (
    <button
      type="button"
      class="below"
      aria-label={count > 0 ? `${fillCount(texts.newMessages, count, locale.value)}. ${label}` : label}
      onClick={() => scroll.peek()?.goToEnd()}
    >
      {count > 0 && <span>{new Intl.NumberFormat(locale.value).format(count)}</span>}
      <Icon path={ARROW_DOWN} size={16} />
    </button>
  );
}
