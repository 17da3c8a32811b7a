import { useComputed } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals-core';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { createDelayedValue } from './delayed-value.ts';

/** Computes a value from signals and delays it like {@link createDelayedValue}. `null` while nothing is shown. */
export function useDelayedValue<T extends {}>(
  compute: () => T | null,
  holdMs?: number,
): ReadonlySignal<T | null> {
  const source = useComputed(compute);
  const delayed = useMemo(() => createDelayedValue(source, holdMs), [source, holdMs]);
  useLayoutEffect(() => delayed.dispose, [delayed]);
  return delayed.shown;
}
