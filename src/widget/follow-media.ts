import type { ReadonlySignal } from '@preact/signals-core';
import { followEvent } from './follow-event.ts';

/** Returns a signal of whether a media query matches; it is updated until `life` ends. */
export function followMedia(query: string, life: AbortController): ReadonlySignal<boolean> {
  const media = matchMedia(query);
  return followEvent(media, 'change', () => media.matches, life);
}
