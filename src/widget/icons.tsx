import type { VNode } from 'preact';

// Paths in a square of 24 by 24. Icons of a lazy part are in its folder.
export const CLOSE = 'M6 6l12 12m0-12L6 18';
export const DOWN = 'M6 9.5l6 6 6-6';
export const ARROW_DOWN = 'M12 5v14m-6-6l6 6 6-6';
/** Dots drawn as small squares, because a stroke alone would be too thin. */
export const MORE = 'M5.2 11.7h.6v.6h-.6zm6.5 0h.6v.6h-.6zm6.5 0h.6v.6h-.6z';
export const SEND = 'M12 19V5m-6 6l6-6 6 6';
/** A square, which the style sheet fills. */
export const STOP = 'M8 8h8v8H8z';
export const CHECK = 'M5 12.5l4.5 4.5 9.5-9.5';
export const COPY = 'M9 9h10v11H9zM15 9V5H5v11h4';
export const ALERT = 'M12 3a9 9 0 10.01 0zm0 4.5V13m0 3.5v.01';
export const CLOCK = 'M12 3a9 9 0 10.01 0zm0 4v5l3 2';
export const LINK = 'M9.5 14.5l5-5M11 7l2-2a4 4 0 016 6l-2 2m-4 4l-2 2a4 4 0 01-6-6l2-2';

/** A line icon. It is decoration, and hidden from screen readers. */
export function Icon({ path, size = 20 }: { readonly path: string; readonly size?: number }): VNode {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
