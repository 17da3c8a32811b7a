import { type ReadonlySignal, signal } from '@preact/signals-core';

/** Follows something of the browser's as a signal: `read` is asked again whenever `target` tells of a change. */
export function followEvent<Value>(
  target: EventTarget,
  type: string,
  read: () => Value,
): { readonly now: ReadonlySignal<Value>; dispose(): void } {
  const now = signal(read());
  const update = () => {
    now.value = read();
  };
  target.addEventListener(type, update);
  return { now, dispose: () => target.removeEventListener(type, update) };
}
