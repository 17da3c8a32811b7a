/**
 * A map that mostly grows, as a value: `append` leaves the map that it is given as it was. Adding a key to the newest one
 * costs the same however many there are: maps that grew from one another share their entries, and each looks only at those
 * that were there when it was made. Any other change copies. Plain data, so that tabs can send it to one another.
 */
export interface AppendMap<Key, Value> {
  /** In the order in which the keys were added. */
  readonly shared: (readonly [Key, Value])[];
  /** Where in `shared` a key stands. */
  readonly places: Map<Key, number>;
  readonly reach: number;
}

export const createAppendMap = <Key, Value>(
  entries: readonly (readonly [Key, Value])[] = [],
): AppendMap<Key, Value> => ({
  shared: [...entries],
  places: new Map(entries.map(([key], place) => [key, place])),
  reach: entries.length,
});

export function lookUp<Key, Value>(
  { shared, places, reach }: AppendMap<Key, Value>,
  key: Key,
): Value | undefined {
  const place = places.get(key) ?? reach;
  return place < reach ? shared[place]?.[1] : undefined;
}

/** In the order in which the keys were added, without the first `from`. */
export const entriesOf = <Key, Value>(
  { shared, reach }: AppendMap<Key, Value>,
  from = 0,
): readonly (readonly [Key, Value])[] => shared.slice(from, reach);

export function append<Key, Value>(
  map: AppendMap<Key, Value>,
  key: Key,
  value: Value,
): AppendMap<Key, Value> {
  const { shared, places, reach } = map;
  // An empty one is the start of every conversation, and must hold nothing of any.
  if (reach === 0 || shared.length > reach || places.has(key))
    return createAppendMap([...new Map(entriesOf(map)).set(key, value)]);
  shared.push([key, value]);
  places.set(key, reach);
  return { shared, places, reach: reach + 1 };
}
