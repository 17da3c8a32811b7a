import type { ReadonlySignal } from '@preact/signals-core';
import { createSteady } from './steady.ts';
import { useComputed, useMounted, useOnce } from './view/index.ts';

/** The steadied value of a computation over signals, for the life of the calling component. */
export function useSteady<T extends string>(
  compute: () => T | null,
  holdMs?: number,
): ReadonlySignal<T | null> {
  const source = useComputed(compute);
  const steady = useOnce(() => createSteady(source, holdMs));
  useMounted(() => steady.dispose);
  return steady.shown;
}
