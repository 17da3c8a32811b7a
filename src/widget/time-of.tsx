import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePanel } from './panel-model.ts';

/**
 * The clock time of a message, in the visitor's zone and way of writing it. It is a button: pressed, it says the date,
 * the second and the zone as well, until it is pressed again.
 */
export function TimeOf({ atMs }: { atMs: number }): VNode | null {
  const { times, parts } = usePanel();
  const { clock, exact } = times.value;
  const isExact = useSignal(false);
  return (
    <button
      type="button"
      class="time"
      title={exact.format(atMs)}
      aria-expanded={isExact.value}
      onClick={async ({ currentTarget }) => {
        // With what makes room for it.
        await parts.history.load();
        isExact.value = !isExact.value;
        // Longer than it was, it may have gone out of view.
        queueMicrotask(() => (currentTarget as HTMLElement).scrollIntoView({ block: 'nearest' }));
      }}
    >
      <time dateTime={new Date(atMs).toISOString()}>{(isExact.value ? exact : clock).format(atMs)}</time>
    </button>
  );
}
