import { effect } from '@preact/signals-core';
import { hasFeature } from '../../has-feature.ts';
import type { PanelModel } from '../../panel/model/panel-model.ts';
import { restoreAbove } from './continue-past.ts';

/** Bounds the number of writes, because a streaming answer changes many times a second. */
const KEEP_AFTER_MS = 500;

/**
 * Keeps copies of the conversation in this browser while the site has enabled `history`, and shows the one that it
 * continues. Returns a function that stops it.
 */
export function keepPast(model: PanelModel): () => void {
  const { chat, options } = model;
  let isRestored = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const keep = (): void => {
    clearTimeout(timer);
    timer = undefined;
    // If the services cannot be loaded, nothing is kept, and the next change tries again.
    chat.services().then(
      ({ past }) => past.keep(),
      () => undefined,
    );
  };
  const stop = effect(() => {
    const entries = chat.messages.value;
    // Subscribes to the entry that may change.
    const last = entries.at(-1)?.value;
    if (!last || !hasFeature(options.value, 'history')) return;
    timer ??= setTimeout(keep, KEEP_AFTER_MS);
    if (!isRestored) queueMicrotask(() => void restoreAbove(model));
    isRestored = true;
  });
  const onLeave = (): void => {
    if (timer !== undefined) keep();
  };
  addEventListener('pagehide', onLeave);
  return () => {
    stop();
    clearTimeout(timer);
    removeEventListener('pagehide', onLeave);
  };
}
