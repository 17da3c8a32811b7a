import { pageDocument } from './page-document.ts';

/** Calls `act` after the next frame is on the screen; at once in a hidden page, which draws no frames. */
export function afterPaint(act: () => void): void {
  if (pageDocument.hidden) act();
  // The frame is painted after its callbacks, and before timers that they start.
  else requestAnimationFrame(() => setTimeout(act));
}
