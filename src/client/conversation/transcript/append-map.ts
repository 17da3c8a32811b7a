/**
 * An immutable map optimised for growth: `append` leaves the given map unchanged. Adding a key to the newest map has
 * constant cost, because maps derived from one another share their entries, and each only reads those that existed when
 * it was made. Any other change copies. Plain data, so that tabs can exchange it.
 */
export interface AppendMap<Key, Value> {
  /** In the order in which the keys were added. */
  readonly shared: (readonly [Key, Value])[];
  /** Index in `shared` by key. */
  readonly indexes: Map<Key, number>;
  /** How many entries of `shared` belong to this map. */
  readonly size: number;
}

export const createAppendMap = <Key, Value>(
  entries: readonly (readonly [Key, Value])[] = [],
): AppendMap<Key, Value> => ({
  shared: [...entries],
  indexes: new Map(entries.map(([key], index) => [key, index])),
  size: entries.length,
});

export function lookUp<Key, Value>(
  { shared, indexes, size }: AppendMap<Key, Value>,
  key: Key,
): Value | undefined {
  const index = indexes.get(key) ?? size;
  return index < size ? shared[index]?.[1] : undefined;
}

/** In the order in which the keys were added, without the first `from`. */
export const entriesOf = <Key, Value>(
  { shared, size }: AppendMap<Key, Value>,
  from = 0,
): readonly (readonly [Key, Value])[] => shared.slice(from, size);

export function append<Key, Value>(
  map: AppendMap<Key, Value>,
  key: Key,
  value: Value,
): AppendMap<Key, Value> {
  const { shared, indexes, size } = map;
  // An empty map is the start of every conversation and must not share entries with any.
  if (size === 0 || shared.length > size || indexes.has(key))
    return createAppendMap([...new Map(entriesOf(map)).set(key, value)]);
  shared.push([key, value]);
  indexes.set(key, size);
  return { shared, indexes, size: size + 1 };
}
