import { useSignal } from '@preact/signals';
import { effect, type ReadonlySignal } from '@preact/signals-core';
import { useLayoutEffect } from 'preact/hooks';

/** A hidden page gets no animation frames, so a timer updates the value at the latest after this time. */
const MAX_WAIT_MS = 200;

/**
 * Returns a signal that follows `source` at most once per frame: the first change at once, later ones with the next frame.
 * Values for which `isUrgent` is true never wait. Pass the same `isUrgent` function in each render.
 */
export function useThrottledSignal<Value>(
  source: ReadonlySignal<Value>,
  isUrgent: (value: Value) => boolean,
): ReadonlySignal<Value> {
  const shown = useSignal(source.peek());
  useLayoutEffect(() => {
    let cancel: (() => void) | null = null;
    const catchUp = (): void => {
      cancel?.();
      cancel = null;
      if (shown.peek() !== source.peek()) show();
    };
    const show = (): void => {
      shown.value = source.peek();
      if (cancel) return;
      const frame = requestAnimationFrame(catchUp);
      const timer = setTimeout(catchUp, MAX_WAIT_MS);
      cancel = () => {
        cancelAnimationFrame(frame);
        clearTimeout(timer);
      };
    };
    const stop = effect(() => {
      const { value } = source;
      if (shown.peek() !== value && (!cancel || isUrgent(value))) show();
    });
    return () => {
      stop();
      cancel?.();
    };
  }, [source, isUrgent, shown]);
  return shown;
}
