import { effect, useComputed, useSignal } from '@preact/signals';
import type { ComponentChildren, FunctionComponent, VNode } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';

export { createRef, type VNode } from 'preact';
export { useComputed, useSignal };

/** Whatever may stand between tags. */
export type Child = ComponentChildren;

/** A component made by `view`. */
export type View<Props = object> = FunctionComponent<Props>;

/** Draws a component again when its properties change, or a signal that its last drawing read. */
export function view<Props = object>(draw: (props: Props) => VNode | null): View<Props> {
  return draw;
}

/** A value that is made at the first drawing and kept as long as the component lives. */
export function useOnce<Value>(make: () => Value): Value {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function of the first drawing is kept
  return useMemo(make, []);
}

/** Runs once the component is on the page. What `run` returns is called when it leaves. */
export function useMounted(run: () => (() => void) | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function of the first drawing is kept
  useLayoutEffect(run, []);
}

/** Runs while the component is on the page, again whenever a signal that it read changes. */
export function useSignalEffect(run: () => (() => void) | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function of the first drawing is kept
  useLayoutEffect(() => effect(run), []);
}
