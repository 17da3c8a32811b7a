/**
 * Ids of the events of a session, as a list of small sets: adding one copies at most one small set, so the
 * reducer stays pure without paying for the whole history on every event.
 */
export type SeenIds = readonly ReadonlySet<string>[];

const SET_SIZE = 128;

export function hasSeen(seen: SeenIds, id: string): boolean {
  return seen.some((set) => set.has(id));
}

export function addSeen(seen: SeenIds, id: string): SeenIds {
  const last = seen.at(-1);
  return last && last.size < SET_SIZE
    ? [...seen.slice(0, -1), new Set(last).add(id)]
    : [...seen, new Set([id])];
}
