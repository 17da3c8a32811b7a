/**
 * A map that mostly grows, as a value: `append` leaves the map that it is given as it was. Adding a key to the newest one
 * costs the same however many there are: maps that grew from one another share their entries, and each looks only at those
 * that were there when it was made. Any other change copies. Plain data, so that tabs can send it to one another.
 */
export interface AppendMap<Key, Value> {
  readonly shared: Map<Key, { readonly place: number; readonly value: Value }>;
  readonly reach: number;
}

export const createAppendMap = <Key, Value>(
  entries: readonly (readonly [Key, Value])[] = [],
): AppendMap<Key, Value> => ({
  shared: new Map(entries.map(([key, value], place) => [key, { place, value }])),
  reach: entries.length,
});

export function lookUp<Key, Value>({ shared, reach }: AppendMap<Key, Value>, key: Key): Value | undefined {
  const found = shared.get(key);
  return found && found.place < reach ? found.value : undefined;
}

/** In the order in which the keys were added. */
export const entriesOf = <Key, Value>({ shared, reach }: AppendMap<Key, Value>): readonly [Key, Value][] =>
  [...shared].slice(0, reach).map(([key, { value }]) => [key, value]);

export function append<Key, Value>(
  map: AppendMap<Key, Value>,
  key: Key,
  value: Value,
): AppendMap<Key, Value> {
  const { shared, reach } = map;
  if (shared.size > reach || shared.has(key))
    return createAppendMap([...new Map(entriesOf(map)).set(key, value)]);
  shared.set(key, { place: reach, value });
  return { shared, reach: reach + 1 };
}
