import type { ReadonlySignal } from '@preact/signals-core';
import { signalFromEvent } from './signal-from-event.ts';

/** Returns a signal that is true while a media query matches. It is updated until `controller` is aborted. */
export function signalFromMedia(query: string, controller: AbortController): ReadonlySignal<boolean> {
  const media = matchMedia(query);
  return signalFromEvent(media, 'change', () => media.matches, controller);
}
