import type { ComponentChildren, VNode } from 'preact';

/** What only those need who look for a fault: names and codes of the platform, closed until it is asked for. */
export function TechnicalDetails({ children }: { children: ComponentChildren }): VNode {
  return (
    <details class="technical">
      <summary>Technical details</summary>
      {children}
    </details>
  );
}
