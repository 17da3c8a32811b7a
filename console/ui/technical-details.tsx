import type { ComponentChildren, VNode } from 'preact';

/** Names and codes of the platform, for people who look for a fault; closed until opened. */
export function TechnicalDetails({ children }: { children: ComponentChildren }): VNode {
  return (
    <details class="technical">
      <summary>Technical details</summary>
      {children}
    </details>
  );
}
