import { useSignal } from '@preact/signals';
import { effect, type ReadonlySignal } from '@preact/signals-core';
import { useLayoutEffect } from 'preact/hooks';

/** A hidden page gets no frames; what it shows is brought up to date this much later all the same. */
const MAX_WAIT_MS = 200;

/**
 * Follows a signal that may change many times a frame: the first change shows at once, those after it together with
 * the next frame. What is urgent never waits. `isUrgent` has to be the same function at each drawing.
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
