import type { Entry } from './transcript-state.ts';

const compare = (a: Entry, b: Entry): number => a.sequence - b.sequence || a.arrival - b.arrival;

/** The entry of a key. Searched from the end: streams and echoes are near it. */
export function findEntry(entries: readonly Entry[], key: string): Entry | undefined {
  return entries.findLast(({ item }) => item.key === key);
}

/** Takes an entry out. */
export function removeEntry(entries: readonly Entry[], key: string): readonly Entry[] {
  return findEntry(entries, key) ? entries.filter(({ item }) => item.key !== key) : entries;
}

/** Puts an entry at its place, instead of the one with its key if there is one. Source: DUP-4. */
export function putEntry(entries: readonly Entry[], entry: Entry): readonly Entry[] {
  const { key } = entry.item;
  const known = findEntry(entries, key);
  return known && compare(known, entry) === 0
    ? entries.with(entries.lastIndexOf(known), entry)
    : [...removeEntry(entries, key), entry].toSorted(compare);
}
