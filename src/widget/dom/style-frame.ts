import { effect } from '@preact/signals-core';
import { retryImport } from '../../client/index.ts';
import type { PanelModel } from '../panel/model/panel-model.ts';
import { signalFromMedia } from '../signals/signal-from-media.ts';
import { fitVisualViewport } from './fit-visual-viewport.ts';
import { makePageInert } from './make-page-inert.ts';

/** If the code cannot be loaded, Back leaves the page. */
function closeOnBackLater(model: PanelModel): () => void {
  let isOver = false;
  let stop = (): void => undefined;
  retryImport(() => import('./close-on-back.ts')).then(
    ({ closeOnBack }) => {
      if (!isOver) stop = closeOnBack(model);
    },
    () => undefined,
  );
  return () => {
    isOver = true;
    stop();
  };
}

/**
 * Keeps theme, layout, side and language of the panel on `frame` for the style sheets, and makes an open sheet modal.
 * Returns functions that undo it.
 */
export function styleFrame(
  frame: HTMLElement,
  model: PanelModel,
  pageDirection: 'ltr' | 'rtl',
  controller: AbortController,
): readonly (() => void)[] {
  const isDark = signalFromMedia('(prefers-color-scheme: dark)', controller);
  const { isOpen, layout, options, language } = model;
  return [
    effect(() => {
      const isCovering = isOpen.value && layout.value === 'sheet';
      if (!isCovering) return;
      const stopFitting = fitVisualViewport(frame);
      const restorePage = makePageInert(frame);
      const stopWatching = closeOnBackLater(model);
      return () => {
        stopWatching();
        stopFitting();
        restorePage();
      };
    }),
    effect(() => {
      const { theme, position } = options.value;
      const isDarkWanted = theme === 'dark' || (theme !== 'light' && isDark.value);
      const isRightEdge = (position !== 'start') === (pageDirection === 'ltr');
      Object.assign(frame.dataset, {
        theme: isDarkWanted ? 'dark' : 'light',
        layout: layout.value,
        open: isOpen.value,
        edge: isRightEdge ? 'right' : 'left',
      });
      frame.lang = language.value;
    }),
  ];
}
