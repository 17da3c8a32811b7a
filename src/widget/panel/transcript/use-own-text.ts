import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Returns a text without white space, so that differences in layout do not count. */
const withoutBlanks = (text = ''): string => text.replace(/\s/g, '');

/**
 * Stops translators from changing a text while it grows, because they replace the nodes that it is written into. Draws
 * the text again when it is complete and a script has changed it. The element with `ref` needs `key`. `readText`
 * returns the complete text.
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
    // Not as a property, because the property without a value would also mean `no`.
    if (isStreaming) ref.current?.setAttribute('translate', 'no');
    else ref.current?.removeAttribute('translate');
    if (isComplete && withoutBlanks(ref.current?.textContent) !== withoutBlanks(readText()))
      drawings.value += 1;
  }, [isStreaming, drawing]);
  return { ref, key: drawing };
}
