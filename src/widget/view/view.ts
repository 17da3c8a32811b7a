import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { Draw, VNode } from './node.ts';
import { type Cleanup, drawing } from './render.ts';

/** A component made by `view`. */
export type View<Props = object> = (props: Props) => VNode;

/**
 * Makes a component that is drawn again when one of its properties changes, or a signal that its last drawing
 * read, and at no other time. Inside `draw` the `use…` functions below may be called, always in the same order.
 */
export function view<Props = object>(draw: (props: Props) => VNode | null): View<Props> {
  // Whoever writes the tag has the properties checked; from there to here they only pass through.
  return (props) => ({ type: draw as Draw, props: props as VNode['props'] });
}

/** A value that is made at the first drawing and kept as long as the component lives. */
export function useOnce<Value>(make: () => Value): Value {
  // Nothing that is kept is ever null.
  const place = drawing.nextKept++;
  drawing.kept[place] ??= make();
  return drawing.kept[place] as Value;
}

export function useSignal<Value>(initial: Value): Signal<Value> {
  return useOnce(() => signal(initial));
}

/** `compute` is kept from the first drawing, so it may read signals but no properties. */
export function useComputed<Value>(compute: () => Value): ReadonlySignal<Value> {
  return useOnce(() => computed(compute));
}

/** Runs once the component is on the page. What `run` returns is called when it leaves. */
export function useMounted(run: () => Cleanup | undefined): void {
  useOnce(() => drawing.onMounted.push(run));
}

/** Runs while the component is on the page, again whenever a signal that it read changes. */
export function useSignalEffect(run: () => Cleanup | undefined): void {
  useMounted(() => effect(run));
}

/** What was given to `render`. */
export function useProvided(): unknown {
  return drawing.context;
}
