import { type ReadonlySignal, useComputed } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { createSteady, STEADY_TIMING, type SteadyTiming } from './steady.ts';

/** The steadied value of a computation over signals, for the life of the calling component. */
export function useSteady<T extends string>(
  compute: () => T | null,
  timing: SteadyTiming = STEADY_TIMING,
): ReadonlySignal<T | null> {
  const source = useComputed(compute);
  const steady = useMemo(() => createSteady(source, timing), []);
  useEffect(() => () => steady.dispose(), [steady]);
  return steady.shown;
}
