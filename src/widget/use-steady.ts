import { useComputed } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals-core';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { createSteady } from './steady.ts';

/** The steadied value of a computation over signals, for the life of the calling component. */
export function useSteady<T extends {}>(compute: () => T | null, holdMs?: number): ReadonlySignal<T | null> {
  const source = useComputed(compute);
  const steady = useMemo(() => createSteady(source, holdMs), [source, holdMs]);
  useLayoutEffect(() => steady.dispose, [steady]);
  return steady.shown;
}
