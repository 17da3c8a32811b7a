import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePanel } from '../model/panel-model.ts';

/**
 * The time of a message, in the visitor's time zone and locale. A click switches to the exact time with date and zone, and
 * back.
 */
export function MessageTime({ atMs }: { atMs: number }): VNode | null {
  const { times, parts } = usePanel();
  const formats = times.value;
  const isExact = useSignal(false);
  return (
    <button
      type="button"
      class="time"
      title={formats?.exact.format(atMs)}
      aria-expanded={isExact.value}
      onClick={async ({ currentTarget }) => {
        // Its style sheet makes room for the exact time.
        await parts.history.load();
        isExact.value = !isExact.value;
        // The exact time is longer and may be out of view.
        queueMicrotask(() => (currentTarget as HTMLElement).scrollIntoView({ block: 'nearest' }));
      }}
    >
      <time dateTime={new Date(atMs).toISOString()}>
        {formats?.[isExact.value ? 'exact' : 'clock'].format(atMs)}
      </time>
    </button>
  );
}
