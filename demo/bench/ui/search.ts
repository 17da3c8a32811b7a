import { signal } from '@preact/signals';

/** The parameters of the bench's address, which has all that is shown and can be shared. */
export const search = signal(new URLSearchParams(location.search));

/** Sets a parameter. */
export function changeSearch(name: string, value: string): void {
  const next = new URLSearchParams(search.value);
  next.set(name, value);
  history.replaceState(null, '', `?${next}`);
  search.value = next;
}
