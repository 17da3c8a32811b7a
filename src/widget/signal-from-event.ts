import { type ReadonlySignal, signal } from '@preact/signals-core';

/**
 * Follows something of the browser's as a signal until `life` ends: `read` is asked again whenever `target` tells of a
 * change.
 */
export function signalFromEvent<Value>(
  target: EventTarget,
  type: string,
  read: () => Value,
  life: AbortController,
): ReadonlySignal<Value> {
  const now = signal(read());
  target.addEventListener(type, () => (now.value = read()), life);
  return now;
}
