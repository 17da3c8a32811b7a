import type { VNode } from 'preact';

// Outlines on a grid of 24, drawn with a stroke of 1.75.
const PATHS = {
  desk: 'M4 5h16v11H9l-5 4z',
  live: 'M3 12h4l3-8 4 16 3-8h4',
  list: 'M8 6h13M8 12h13M8 18h13M3.5 6h.01M3.5 12h.01M3.5 18h.01',
  chart: 'M4 20V10m6 10V4m6 16v-7m5 7H3',
  book: 'M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zm0 13a3 3 0 0 1 3-3h11',
  install: 'M8 7l-5 5 5 5m8-10l5 5-5 5M14 4l-4 16',
  bench: 'M9 3h6m-5 0v6l-5 9a2 2 0 0 0 2 3h10a2 2 0 0 0 2-3l-5-9V3',
  bell: 'M6 16V10a6 6 0 1 1 12 0v6l2 2H4zm4 5h4',
  server: 'M4 4h16v6H4zm0 10h16v6H4zm4-7h.01M8 17h.01',
  phone: 'M5 3h4l2 5-3 2a12 12 0 0 0 6 6l2-3 5 2v4a2 2 0 0 1-2 2A17 17 0 0 1 3 5a2 2 0 0 1 2-2z',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zm5 12l5 5',
  menu: 'M3 6h18M3 12h18M3 18h18',
  close: 'M5 5l14 14M19 5L5 19',
  sign_out: 'M14 4H5v16h9m-4-8h11m-4-4l4 4-4 4',
  reply: 'M10 6L4 12l6 6m-6-6h9a7 7 0 0 1 7 7',
  clip: 'M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.4 3.4 0 0 1 5 5l-8.6 8.5a1.7 1.7 0 0 1-2.4-2.4L15 7',
  theme: 'M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z',
  down: 'M12 4v12m-5-5l5 5 5-5M4 20h16',
  up: 'M6 15l6-6 6 6',
  back: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  check: 'M4 12l6 6L20 6',
  warning: 'M12 4L2.5 20h19zm0 6v5m0 2.5v.01',
  trash: 'M4 7h16M9 7V4h6v3m3 0l-1 13H7L6 7m4 4v5m4-5v5',
  refresh: 'M20 11a8 8 0 1 0-2 6m2-11v5h-5',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21a8 8 0 0 1 16 0',
  settings: 'M4 7h9m4 0h3M4 17h3m4 0h9M15 4.5v5M9 14.5v5',
} as const;

/** A name of an icon. */
export type IconName = keyof typeof PATHS;

/** An icon beside a text that says the same. */
export function Icon({ name }: { name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
