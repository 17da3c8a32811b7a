import type { VNode } from './view/index.ts';

const PATHS = {
  close: 'M6 6l12 12m0-12L6 18',
  down: 'M6 9.5l6 6 6-6',
  arrowDown: 'M12 5v14m-6-6l6 6 6-6',
  more: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  send: 'M12 19V5m-6 6l6-6 6 6',
  check: 'M5 12.5l4.5 4.5 9.5-9.5',
  alert: 'M12 3a9 9 0 10.01 0zm0 4.5V13m0 3.5v.01',
  clock: 'M12 3a9 9 0 10.01 0zm0 4v5l3 2',
  link: 'M9.5 14.5l5-5M11 7l2-2a4 4 0 016 6l-2 2m-4 4l-2 2a4 4 0 01-6-6l2-2',
} as const;

type IconName = keyof typeof PATHS;

/** An icon of the panel by its name, or one of a late part with its own path. */
type IconProps = { readonly size?: number } & (
  | { readonly name: IconName; readonly path?: never }
  | { readonly name: string; readonly path: string }
);

/** A line icon at the size of its surroundings; decoration only, so it says nothing to a screen reader. */
export function Icon({ name, path, size = 20 }: IconProps): VNode {
  return (
    <svg class={`icon icon-${name}`} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={path ?? PATHS[name as IconName]} />
    </svg>
  );
}
