import { type ReadonlySignal, signal } from '@preact/signals-core';

/** Follows a media query as a signal. */
export function watchMedia(query: string): { readonly matches: ReadonlySignal<boolean>; dispose(): void } {
  const media = matchMedia(query);
  const matches = signal(media.matches);
  const update = () => {
    matches.value = media.matches;
  };
  media.addEventListener('change', update);
  return { matches, dispose: () => media.removeEventListener('change', update) };
}
