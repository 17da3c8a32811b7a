import type { Signal } from '@preact/signals-core';

/**
 * Receives files that are pasted into a panel or dropped on it. `isOver` is true while files are dragged above it.
 * Returns a function that stops it.
 */
export function receiveFiles(
  panel: HTMLElement,
  add: (files: Iterable<File>) => void,
  isOver: Signal<boolean>,
): () => void {
  const controller = new AbortController();
  const listen = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    handle: (event: HTMLElementEventMap[Name]) => void,
  ): void => panel.addEventListener(name, handle, { signal: controller.signal });
  const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;
  // Elements within the panel send both events as well; the pointer has left the panel when it has left all of them.
  let depth = 0;
  const enter = (change: number) => (event: DragEvent) => {
    if (!hasFiles(event)) return;
    depth = Math.max(0, depth + change);
    isOver.value = depth > 0;
  };
  listen('dragenter', enter(1));
  listen('dragleave', enter(-1));
  listen('dragover', (event) => {
    // Without this the browser would open the file in place of the page.
    if (hasFiles(event)) event.preventDefault();
  });
  listen('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth = 0;
    isOver.value = false;
    add(event.dataTransfer?.files ?? []);
  });
  listen('paste', (event) => {
    const { clipboardData } = event;
    // Text copied from an office program comes with a picture of itself.
    if (!clipboardData?.files.length || clipboardData.types.includes('text/plain')) return;
    event.preventDefault();
    add(clipboardData.files);
  });
  return () => controller.abort();
}
