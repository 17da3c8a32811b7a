import { computed, type ReadonlySignal } from '@preact/signals-core';
import { isEqual } from '../../client/index.ts';

/** Like `computed`, but keeps the old object while the new value is deeply equal, so that its readers do not run. */
export function stableComputed<Value>(compute: () => Value): ReadonlySignal<Value> {
  let kept: { readonly value: Value } | null = null;
  return computed(() => {
    const value = compute();
    if (!kept || !isEqual(kept.value, value)) kept = { value };
    return kept.value;
  });
}
