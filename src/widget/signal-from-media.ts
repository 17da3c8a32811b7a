import type { ReadonlySignal } from '@preact/signals-core';
import { signalFromEvent } from './signal-from-event.ts';

/** Returns a signal of whether a media query matches; it is updated until `life` ends. */
export function signalFromMedia(query: string, life: AbortController): ReadonlySignal<boolean> {
  const media = matchMedia(query);
  return signalFromEvent(media, 'change', () => media.matches, life);
}
