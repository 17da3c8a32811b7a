import type { VNode } from 'preact';
import { hrefOf } from '../location.ts';

/** The parts of a view, each with its own path below the view's. */
export function Tabs({
  label,
  path,
  tabs,
  shown,
}: {
  label: string;
  /** Of the view, such as `/operations`. */
  path: string;
  tabs: readonly { readonly rest: string; readonly name: string }[];
  /** The `rest` of the part that is shown. */
  shown: string;
}): VNode {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ rest, name }) => (
        <a
          key={rest}
          class="tab"
          href={hrefOf(rest === '' ? path : `${path}/${rest}`)}
          aria-current={rest === shown ? 'page' : undefined}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}
