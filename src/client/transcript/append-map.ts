/**
 * A map that mostly grows, as a value: `with` leaves the map that it is called on as it was. Adding a key to the
 * newest one costs the same however many there are: maps that grew from one another share their entries, and each
 * looks only at those that were there when it was made. Any other change copies.
 */
export interface AppendMap<Key, Value> {
  readonly size: number;
  has(key: Key): boolean;
  get(key: Key): Value | undefined;
  with(key: Key, value: Value): AppendMap<Key, Value>;
  /** In the order in which the keys were added. */
  entries(): readonly (readonly [Key, Value])[];
  /** Found by `JSON.stringify`. */
  toJSON(): object;
}

export function createAppendMap<Key, Value>(
  entries: readonly (readonly [Key, Value])[] = [],
): AppendMap<Key, Value> {
  return share(new Map(entries.map(([key, value], place) => [key, { place, value }])));
}

type Shared<Key, Value> = Map<Key, { readonly place: number; readonly value: Value }>;

function share<Key, Value>(shared: Shared<Key, Value>): AppendMap<Key, Value> {
  const { size } = shared;
  const find = (key: Key) => {
    const found = shared.get(key);
    return found && found.place < size ? found : undefined;
  };
  const entries = () => [...shared].slice(0, size).map(([key, { value }]) => [key, value] as const);
  return {
    size,
    has: (key) => find(key) !== undefined,
    get: (key) => find(key)?.value,
    with(key, value) {
      if (shared.has(key) || shared.size > size)
        return createAppendMap([...new Map(entries()).set(key, value)]);
      shared.set(key, { place: size, value });
      return share(shared);
    },
    entries,
    toJSON: () => ({ appended: entries() }),
  };
}
