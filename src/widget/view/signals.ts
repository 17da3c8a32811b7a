/*
 * What stands in for `@preact/signals-core` in the script tag's build, with what of it is used there, at a third of the
 * weight. A value remembers how often it has changed, and whoever has read it, which change that was.
 */

/** Whoever reads: an effect, or a computed value. */
interface Reader {
  /** What it has read the last time, and which change of it. */
  sources: Map<Signal<unknown>, number>;
  /** It is told of changes. A computed value nobody watches is not, and so is held by nothing that it has read. */
  isWatching: boolean;
  onChange(): void;
}

let reader: Reader | null = null;
/** Changes of any signal so far: as long as there is no other, a computed value is what it was. */
let changes = 0;
let depth = 0;
let due: Set<Effect> = new Set();

/** Rounds of effects that lead to effects; more are a circle. */
const MAX_ROUNDS = 100;

/** Something that can be read and watched; `subscribe` is not used in the widget, and not here. */
class Signal<Content> {
  protected content: Content;
  version: number = 0;
  protected readonly readers: Set<Reader> = new Set();

  constructor(content: Content) {
    this.content = content;
  }

  get value(): Content {
    const by = reader;
    // Watched from here on: the reader itself may change it before it is done.
    if (by?.isWatching && !by.sources.has(this)) this.watch(by);
    this.refresh();
    by?.sources.set(this, this.version);
    return this.peek();
  }

  set value(next: Content) {
    if (next === this.content) return;
    this.content = next;
    this.version += 1;
    changes += 1;
    batch(() => this.tell());
  }

  peek(): Content {
    this.refresh();
    return this.content;
  }

  refresh(): void {}

  watch(by: Reader): void {
    this.readers.add(by);
  }

  leave(by: Reader): void {
    this.readers.delete(by);
  }

  protected tell(): void {
    for (const by of this.readers) by.onChange();
  }
}

class Computed<Content> extends Signal<Content> implements Reader {
  sources: Reader['sources'] = new Map();
  isWatching = false;
  readonly #compute: () => Content;
  #failure: { readonly cause: unknown } | null = null;
  #isStale = true;
  #checkedAt = -1;

  constructor(compute: () => Content) {
    // Nobody sees it before it is computed.
    super(undefined as Content);
    this.#compute = compute;
  }

  override peek(): Content {
    const content = super.peek();
    if (this.#failure) throw this.#failure.cause;
    return content;
  }

  override refresh(): void {
    if (this.isWatching ? !this.#isStale : this.#checkedAt === changes) return;
    if (this.version === 0 || hasNews(this)) this.#renew();
    this.#isStale = false;
    this.#checkedAt = changes;
  }

  #renew(): void {
    try {
      const next = read(this, this.#compute);
      if (this.version > 0 && !this.#failure && next === this.content) return;
      this.content = next;
      this.#failure = null;
    } catch (cause) {
      // Told to whoever reads it.
      this.#failure = { cause };
    }
    this.version += 1;
  }

  override watch(by: Reader): void {
    if (!this.isWatching) {
      this.isWatching = this.#isStale = true;
      for (const source of this.sources.keys()) source.watch(this);
    }
    super.watch(by);
  }

  override leave(by: Reader): void {
    super.leave(by);
    if (this.readers.size > 0) return;
    this.isWatching = false;
    for (const source of this.sources.keys()) source.leave(this);
  }

  onChange(): void {
    if (this.#isStale) return;
    this.#isStale = true;
    this.tell();
  }
}

class Effect implements Reader {
  sources: Reader['sources'] = new Map();
  isWatching = true;
  readonly #act: () => unknown;
  #cleanup: unknown;

  constructor(act: () => unknown) {
    this.#act = act;
  }

  onChange(): void {
    due.add(this);
  }

  run(): void {
    batch(() => {
      this.#clean();
      this.#cleanup = read(this, this.#act);
      // It may have been ended by what it did.
      if (!this.isWatching) this.end();
    });
  }

  end(): void {
    this.isWatching = false;
    for (const source of this.sources.keys()) source.leave(this);
    this.sources.clear();
    this.#clean();
  }

  #clean(): void {
    const cleanup = this.#cleanup;
    this.#cleanup = undefined;
    if (typeof cleanup === 'function') unread(() => cleanup());
  }
}

/** True when something that was read has become something else since. */
function hasNews({ sources }: Reader): boolean {
  for (const [source, version] of sources) {
    source.refresh();
    if (source.version !== version) return true;
  }
  return false;
}

/** Runs `run` and notes in `by` what it reads. */
function read<Result>(by: Reader, run: () => Result): Result {
  const outer = reader;
  const before = by.sources;
  reader = by;
  by.sources = new Map();
  try {
    return run();
  } finally {
    reader = outer;
    for (const source of before.keys()) if (!by.sources.has(source)) source.leave(by);
  }
}

function unread<Result>(run: () => Result): Result {
  const outer = reader;
  reader = null;
  try {
    return run();
  } finally {
    reader = outer;
  }
}

/** Runs `run` and lets effects see only what has become of everything in the end. */
export function batch<Result>(run: () => Result): Result {
  depth += 1;
  try {
    return run();
  } finally {
    settle();
  }
}

function settle(): void {
  let failure: { readonly cause: unknown } | null = null;
  for (let round = 0; depth === 1 && due.size > 0; round += 1) {
    const effects = due;
    due = new Set();
    for (const each of effects) {
      try {
        if (round > MAX_ROUNDS) throw new Error('Effects go round in circles.');
        if (hasNews(each)) each.run();
      } catch (cause) {
        // What one cannot do keeps no other from being done.
        failure ??= { cause };
      }
    }
  }
  depth -= 1;
  if (failure) throw failure.cause;
}

export const signal = <Content>(content: Content): Signal<Content> => new Signal(content);

export const computed = <Content>(compute: () => Content): Computed<Content> => new Computed(compute);

/** Runs `act` now and whenever something that it has read changes; what it returns runs before the next time. */
export function effect(act: () => unknown): () => void {
  const created = new Effect(act);
  try {
    created.run();
  } catch (cause) {
    created.end();
    throw cause;
  }
  return () => created.end();
}
