import type { Signal } from '@preact/signals-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { listenEverywhere } from '../../dom/listen-everywhere.ts';
import { usePanel } from '../../panel/model/panel-model.ts';

/**
 * Moves the focus into `list` and between its entries, and closes the menu on Escape, Tab and a click elsewhere. In the
 * second step, `isChoosing`, Escape leads back to the first. Returns the key handler for the list.
 */
export function useMenuKeys(
  list: RefObject<HTMLElement | null>,
  isChoosing: Signal<boolean>,
  onClose: () => void,
): (event: KeyboardEvent) => void {
  const { overlay, direction } = usePanel();
  useLayoutEffect(() => {
    const onPointerDown = (event: Event) => {
      const anchor = list.current?.closest('.menu-anchor');
      if (anchor && !event.composedPath().includes(anchor)) overlay.value = 'none';
    };
    const controller = new AbortController();
    if (list.current) listenEverywhere(list.current, ['pointerdown'], onPointerDown, controller.signal);
    return () => controller.abort();
  }, [list, overlay]);
  const isSecondStep = isChoosing.value;
  const wasSecondStep = useRef(false);
  useLayoutEffect(() => {
    const items = itemsOf(list.current);
    const origin = wasSecondStep.current ? items.find(({ ariaHasPopup }) => ariaHasPopup) : undefined;
    wasSecondStep.current = isSecondStep;
    (origin ?? items[0])?.focus();
  }, [list, isSecondStep]);

  return (event) => {
    const items = itemsOf(list.current);
    const root = list.current?.getRootNode();
    const active = root instanceof ShadowRoot ? root.activeElement : null;
    const index = items.indexOf(active as HTMLElement);
    const forward = direction.peek() === 'rtl' ? -1 : 1;
    const step = { ArrowDown: 1, ArrowUp: -1, ArrowRight: forward, ArrowLeft: -forward }[event.key];
    if (step !== undefined) items[(index + step + items.length) % items.length]?.focus();
    else if (event.key === 'Home') items[0]?.focus();
    else if (event.key === 'End') items.at(-1)?.focus();
    else if (event.key === 'Escape' && isChoosing.peek()) isChoosing.value = false;
    else if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else return;
    event.stopPropagation();
    event.preventDefault();
  };
}

function itemsOf(list: HTMLElement | null): readonly HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
}
