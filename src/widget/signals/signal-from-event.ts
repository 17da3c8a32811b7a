import { type ReadonlySignal, signal } from '@preact/signals-core';

/**
 * Returns a signal of a value of the browser. `read` is called again on each event of `target`, until `controller` is aborted.
 */
export function signalFromEvent<Value>(
  target: EventTarget,
  type: string,
  read: () => Value,
  controller: AbortController,
): ReadonlySignal<Value> {
  const now = signal(read());
  target.addEventListener(type, () => (now.value = read()), controller);
  return now;
}
