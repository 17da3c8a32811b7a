import type { Window } from '../transcript/select-window.ts';

/** Draws all entries while the browser prints the page. Returns a function that stops it. */
export function printWhole(readWindow: () => Window, draw: (window: Window) => void): () => void {
  let before = readWindow();
  const onBeforePrint = (): void => {
    before = readWindow();
    draw([0, Number.POSITIVE_INFINITY]);
  };
  const onAfterPrint = (): void => draw(before);
  addEventListener('beforeprint', onBeforePrint);
  addEventListener('afterprint', onAfterPrint);
  return () => {
    removeEventListener('beforeprint', onBeforePrint);
    removeEventListener('afterprint', onAfterPrint);
  };
}
