import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { Component, type ComponentChild, type ComponentClass } from 'preact';

/** A component made by `view`. */
export type View<Props = object> = ComponentClass<Props>;

type Cleanup = () => void;

/** What a view keeps between drawings, in the order in which it asks for it, and what runs once it is mounted. */
interface Life {
  readonly kept: unknown[];
  nextKept: number;
  readonly onMounted: (() => Cleanup | undefined)[];
  readonly context: unknown;
}

/** The view that is being drawn: what the `use…` functions belong to. Drawing is synchronous and never nests. */
let current: Life;

/**
 * Makes a component that is drawn again when one of its properties changes, or a signal that its last drawing
 * read, and at no other time. Inside `draw` the `use…` functions below may be called, always in the same order.
 */
export function view<Props = object>(draw: (props: Props) => ComponentChild): View<Props> {
  return class extends Component<Props> implements Life {
    readonly kept: unknown[] = [];
    nextKept = 0;
    readonly onMounted: (() => Cleanup | undefined)[] = [];
    cleanups: (Cleanup | undefined)[] = [];

    override render(): ComponentChild {
      let drawn: ComponentChild;
      let isDrawn = false;
      this.stopWatching();
      // The first run draws and so learns which signals count; the second asks for another drawing.
      this.stopWatching = effect(() => {
        if (isDrawn) {
          this.forceUpdate();
          return;
        }
        isDrawn = true;
        current = this;
        this.nextKept = 0;
        drawn = draw(this.props);
      });
      return drawn;
    }

    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const before: Readonly<Props> = this.props;
      return Object.keys({ ...before, ...next }).some(
        (name) => before[name as keyof Props] !== next[name as keyof Props],
      );
    }

    override componentDidMount(): void {
      this.cleanups = this.onMounted.map((run) => run());
    }

    override componentWillUnmount(): void {
      this.stopWatching();
      for (const cleanup of this.cleanups) cleanup?.();
    }

    stopWatching: Cleanup = () => {};
  };
}

/** A value that is made at the first drawing and kept as long as the component lives. */
export function useOnce<Value>(make: () => Value): Value {
  const { kept } = current;
  const place = current.nextKept;
  current.nextKept += 1;
  if (place === kept.length) kept.push(make());
  return kept[place] as Value;
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
  useOnce(() => current.onMounted.push(run));
}

/** Runs while the component is on the page, again whenever a signal that it read changes. */
export function useSignalEffect(run: () => Cleanup | undefined): void {
  useMounted(() => effect(run));
}

/** What the component's ancestors provide, by name. */
export function useProvided(): Readonly<Record<string, unknown>> {
  return current.context as Readonly<Record<string, unknown>>;
}
