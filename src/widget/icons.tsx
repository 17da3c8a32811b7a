import type { VNode } from 'preact';

const PATHS = {
  close: 'M6 6l12 12m0-12L6 18',
  down: 'M6 9.5l6 6 6-6',
  arrowDown: 'M12 5v14m-6-6l6 6 6-6',
  more: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  send: 'M12 19V5.5M6 11l6-6 6 6',
  copy: 'M9 9h10v11H9zM15 9V5H5v11h4',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  alert: 'M12 3a9 9 0 100 18 9 9 0 000-18zM12 7.5V13m0 3.5v.01',
  clock: 'M12 3a9 9 0 100 18 9 9 0 000-18zM12 7v5l3 2',
  link: 'M10 14a4 4 0 005.7 0l2.8-2.8a4 4 0 00-5.7-5.7L11.5 6.8M14 10a4 4 0 00-5.7 0l-2.8 2.8a4 4 0 005.7 5.7l1.3-1.3',
  external: 'M9 6h9v9M18 6L6.5 17.5',
  phone:
    'M5 4h4l1.6 4.2-2.3 1.7a12 12 0 005.8 5.8l1.7-2.3L20 15v4a1.5 1.5 0 01-1.7 1.5C10.6 19.7 4.3 13.4 3.5 5.7A1.5 1.5 0 015 4z',
} as const;

export type IconName = keyof typeof PATHS;

/** A line icon at the size of its surroundings; decoration only, so it says nothing to a screen reader. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }): VNode {
  return (
    <svg
      class={`icon icon-${name}`}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width={name === 'more' ? 2.6 : 1.8}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
