import { effect, type ReadonlySignal, signal } from '@preact/signals-core';
import { stableComputed } from './stable-computed.ts';

/** A state that lasts less than this is never shown. */
const SHOW_AFTER_MS = 400;
/** A shown state stays for at least this time. */
const HOLD_MS = 600;

/**
 * Delays a value that may be short-lived, so that nothing flickers. A value appears when it has lasted, and then stays for
 * a minimum time. A change from one shown value to another is immediate.
 */
export function createDelayedValue<T extends {}>(
  source: ReadonlySignal<T | null>,
  holdMs: number = HOLD_MS,
): { readonly shown: ReadonlySignal<T | null>; dispose(): void } {
  const shown = signal<T | null>(null);
  let shownAtMs = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const show = (value: T | null) => {
    if (value !== null && shown.peek() === null) shownAtMs = performance.now();
    shown.value = value;
  };
  const stableSource = stableComputed(() => source.value);
  const stop = effect(() => {
    const wanted = stableSource.value;
    const current = shown.peek();
    clearTimeout(timer);
    if (wanted === current) return;
    const leftMs = shownAtMs + holdMs - performance.now();
    const delayMs = wanted === null ? leftMs : current === null ? SHOW_AFTER_MS : 0;
    if (delayMs > 0) timer = setTimeout(() => show(wanted), delayMs);
    else show(wanted);
  });
  return {
    shown,
    dispose() {
      clearTimeout(timer);
      stop();
    },
  };
}
