import type { Entry } from './transcript-state.ts';

const compare = (a: Entry, b: Entry): number => a.sequence - b.sequence || a.arrival - b.arrival;

/** The entry of a key. Searched from the end: streams and echoes are near it. */
export function findEntry(entries: readonly Entry[], key: string): Entry | null {
  return entries.findLast(({ item }) => item.key === key) ?? null;
}

/** Puts an entry at its place, instead of the one with its key if there is one. Source: DUP-4. */
export function putEntry(entries: readonly Entry[], entry: Entry): readonly Entry[] {
  const known = entries.findLastIndex(({ item }) => item.key === entry.item.key);
  const before = known < 0 ? undefined : entries[known];
  if (before && compare(before, entry) === 0) return entries.with(known, entry);
  const others = known < 0 ? entries : entries.toSpliced(known, 1);
  const place = others.findLastIndex((other) => compare(other, entry) < 0) + 1;
  return others.toSpliced(place, 0, entry);
}

/** Takes an entry out. */
export function removeEntry(entries: readonly Entry[], key: string): readonly Entry[] {
  return entries.some(({ item }) => item.key === key)
    ? entries.filter(({ item }) => item.key !== key)
    : entries;
}
