import { signal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';

const media = matchMedia('(max-width: 700px)');
const isNarrow = signal(media.matches);
media.addEventListener('change', () => {
  isNarrow.value = media.matches;
});

/** Filters of a list. On a narrow window they are folded, so that the list is on its first screen. */
export function FoldedFilters({ children }: { children: ComponentChildren }): VNode {
  if (!isNarrow.value) return <>{children}</>;
  return (
    <details class="filters">
      <summary>Filters</summary>
      <div class="toolbar">{children}</div>
    </details>
  );
}
