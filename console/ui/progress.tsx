import type { VNode } from 'preact';

/** Progress of a long task. Without `total`, it only shows that the task is running. */
export function Progress({ label, done, total }: { label: string; done?: number; total?: number }): VNode {
  const isKnown = done !== undefined && total !== undefined;
  return (
    <div class="progress">
      <span>
        {label}
        {isKnown && (
          <span class="quiet">
            {' '}
            {done.toLocaleString()} of {total.toLocaleString()}
          </span>
        )}
      </span>
      <progress aria-label={label} {...(isKnown && { value: done, max: Math.max(total, 1) })} />
    </div>
  );
}
