/**
 * A map that mostly grows, as a value: `with` leaves the map that it is called on as it was. Adding a key to the
 * newest one costs the same however many there are: maps that grew from one another share their entries, and each
 * looks only at those that were there when it was made. Any other change copies.
 */
export interface AppendMap<Key, Value> {
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
  return new Grown(new Map(entries.map(([key, value], place) => [key, { place, value }])), entries.length);
}

type Shared<Key, Value> = Map<Key, { readonly place: number; readonly value: Value }>;

/** A class because there is one per event: functions of their own would be most of what a history weighs. */
class Grown<Key, Value> implements AppendMap<Key, Value> {
  readonly #shared: Shared<Key, Value>;
  readonly #size: number;

  constructor(shared: Shared<Key, Value>, size: number) {
    this.#shared = shared;
    this.#size = size;
  }

  get(key: Key): Value | undefined {
    const found = this.#shared.get(key);
    return found && found.place < this.#size ? found.value : undefined;
  }

  with(key: Key, value: Value): AppendMap<Key, Value> {
    const shared = this.#shared;
    const size = this.#size;
    if (shared.size > size || shared.has(key))
      return createAppendMap([...new Map(this.entries()).set(key, value)]);
    shared.set(key, { place: size, value });
    return new Grown(shared, size + 1);
  }

  entries(): readonly (readonly [Key, Value])[] {
    return [...this.#shared].slice(0, this.#size).map(([key, { value }]) => [key, value] as const);
  }

  toJSON(): object {
    return { appended: this.entries() };
  }
}
