import type { ComponentChildren, VNode } from 'preact';

/** A short word about the state of something; the colour says nothing that the word does not. */
export function Badge({
  tone = 'neutral',
  children,
}: {
  tone?: 'neutral' | 'accent' | 'good' | 'warning' | 'danger';
  children: ComponentChildren;
}): VNode {
  return (
    <span class="badge" data-tone={tone}>
      {children}
    </span>
  );
}
