import { computed, type ReadonlySignal } from '@preact/signals-core';
import { isEqual } from '../client/index.ts';

/** A computed signal that keeps its value while the new one is equal, so that its readers do not run again. */
export function stableComputed<Value>(compute: () => Value): ReadonlySignal<Value> {
  let kept: { readonly value: Value } | null = null;
  return computed(() => {
    const value = compute();
    if (!kept || !isEqual(kept.value, value)) kept = { value };
    return kept.value;
  });
}
