import type { PanelModel } from './panel-model.ts';

/** Leaves the dialog or the screen that the panel shows. Returns false where it shows neither. */
export function stepBack({ overlay, screen, focusComposer }: PanelModel): boolean {
  if (overlay.peek() === 'none' && !screen.peek()) return false;
  overlay.value = 'none';
  screen.value = null;
  // After the composer has been rendered again.
  queueMicrotask(focusComposer);
  return true;
}
