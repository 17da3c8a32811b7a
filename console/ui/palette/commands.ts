import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** A command of the palette. */
export interface Command {
  readonly name: string;
  /** Needed where several commands may have the same name. */
  readonly id?: string;
  /** Its group, such as the name of the view. */
  readonly group: string;
  /** More about it, below the name. */
  readonly detail?: string;
  readonly run: () => void;
}

const offered = signal<ReadonlyMap<symbol, readonly Command[]>>(new Map());

/** All commands that the views on the page offer now. */
export const commands = computed(() => [...offered.value.values()].flat());

/** Offers commands in the palette while the component is there; another `key` replaces them. */
export function useCommands(key: string, list: readonly Command[]): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says when the list is another one
  useEffect(() => {
    const id = Symbol(key);
    offered.value = new Map([...offered.value, [id, list]]);
    return () => {
      const others = new Map(offered.value);
      others.delete(id);
      offered.value = others;
    };
  }, [key]);
}
