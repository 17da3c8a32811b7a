import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** White space of the page's layout is included. */
const withoutBlanks = (text = ''): string => text.replace(/\s/g, '');

/**
 * Keeps translators away from a text that grows, and draws it anew when it is complete and other scripts have changed the drawn text:
 * translators replace the nodes that the text is written into. The element that has the reference needs the key. `readText` returns the whole text as it is to be drawn.
 */
export function useOwnText(
  isStreaming: boolean,
  readText: () => string,
): { readonly ref: RefObject<HTMLDivElement | null>; readonly key: number } {
  const ref = useRef<HTMLDivElement>(null);
  const wasStreaming = useRef(isStreaming);
  const drawings = useSignal(0);
  const drawing = drawings.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is read when it is complete, and its element is another with each drawing
  useLayoutEffect(() => {
    const isComplete = wasStreaming.current && !isStreaming;
    wasStreaming.current = isStreaming;
    // No property of the element, because without a value that would be `no` as well.
    if (isStreaming) ref.current?.setAttribute('translate', 'no');
    else ref.current?.removeAttribute('translate');
    if (isComplete && withoutBlanks(ref.current?.textContent) !== withoutBlanks(readText()))
      drawings.value += 1;
  }, [isStreaming, drawing]);
  return { ref, key: drawing };
}
