import { useSignal, useSignalEffect } from '@preact/signals';
import { effect, type ReadonlySignal, type Signal } from '@preact/signals-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from '../model/panel-model.ts';
import { AutoScroll } from './auto-scroll.ts';
import type { Window } from './select-window.ts';

/** The two elements of a scrolled transcript, and its scrolling; null until they are on the page. */
interface ScrolledElements {
  readonly viewport: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly scroll: ReadonlySignal<AutoScroll | null>;
}

/** Scrolls the transcript while the calling component is on the page. `window` is the range of messages that is drawn. */
export function useAutoScroll(window: Signal<Window>): ScrolledElements {
  const { entries, parts, sendCount } = usePanel();
  const viewport = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const scroll = useSignal<AutoScroll | null>(null);

  useLayoutEffect(() => {
    if (!viewport.current || !content.current) return;
    const transcript = {
      viewport: viewport.current,
      content: content.current,
      entries,
      window,
    };
    const autoScroll = new AutoScroll(transcript);
    scroll.value = autoScroll;
    const stopNavigation = effect(() =>
      parts.history.code.value?.startHistoryNavigation(transcript, autoScroll),
    );
    return () => {
      stopNavigation();
      autoScroll.dispose();
    };
  }, [entries, parts, scroll, window]);
  useSignalEffect(() => {
    if (sendCount.value > 0) queueMicrotask(() => scroll.peek()?.goToQuestion());
  });
  return { viewport, content, scroll };
}
