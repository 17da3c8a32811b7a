/*
 * What stands in for `@preact/signals-core` in the script tag's build, with what of it is used there, at a third of
 * the weight. A value remembers how often it has changed, and whoever was computed from it, which change that was.
 * `subscribe` is not used in the widget, and not here.
 */

/** Whoever is told that something it was computed from may have changed. */
interface Reader {
  onChange(): void;
}

/** What is being computed: it is what reads. */
let reader: Signal<unknown> | null = null;
/** Changes of any signal so far: as long as there is no other, a computed value is what it was. */
let changes = 0;
let depth = 0;
/** Effects that may have to run again. */
const due: Set<Signal<unknown>> = new Set();

/** Rounds of effects that lead to effects; more are a circle. */
const MAX_ROUNDS = 100;

/** A value that is set, or one that is computed from others. */
class Signal<Content> implements Reader {
  #version = 0;
  #content: Content;
  readonly #compute: (() => Content) | undefined;
  #failure: { readonly cause: unknown } | null = null;
  #checkedAt = -1;
  /** What it was computed from the last time, and which change of each. */
  #sources = new Map<Signal<unknown>, number>();
  /** Without any it is not told of changes, and so is held by nothing that it was computed from. */
  readonly #readers = new Set<Reader>();

  constructor(content: Content, compute?: () => Content) {
    this.#content = content;
    this.#compute = compute;
  }

  get value(): Content {
    const by = reader;
    // Watched from here on: the reader itself may change it before it is done.
    if (by?.isWatched) this.watch(by);
    this.#refresh();
    if (by) by.#sources.set(this, this.#version);
    return this.peek();
  }

  set value(next: Content) {
    if (next === this.#content) return;
    this.#content = next;
    this.#version += 1;
    changes += 1;
    batch(() => this.onChange());
  }

  peek(): Content {
    this.#refresh();
    if (this.#failure) throw this.#failure.cause;
    return this.#content;
  }

  get isWatched(): boolean {
    return this.#readers.size > 0;
  }

  watch(by: Reader): void {
    if (!this.isWatched) for (const source of this.#sources.keys()) source.watch(this);
    this.#readers.add(by);
  }

  leave(by: Reader): void {
    this.#readers.delete(by);
    if (!this.isWatched) for (const source of this.#sources.keys()) source.leave(this);
  }

  onChange(): void {
    for (const by of this.#readers) by.onChange();
  }

  /** True when something that it was computed from has become something else since. */
  hasNews(): boolean {
    for (const [source, version] of this.#sources) {
      source.#refresh();
      if (source.#version !== version) return true;
    }
    return false;
  }

  #refresh(): void {
    if (!this.#compute || this.#checkedAt === changes) return;
    this.#checkedAt = changes;
    if (this.#version > 0 && !this.hasNews()) return;
    const before = this.#sources;
    this.#sources = new Map();
    try {
      const next = readAs(this, this.#compute);
      if (this.#version > 0 && !this.#failure && next === this.#content) return;
      this.#content = next;
      this.#failure = null;
    } catch (cause) {
      // Told to whoever reads it.
      this.#failure = { cause };
    } finally {
      for (const source of before.keys()) if (!this.#sources.has(source)) source.leave(this);
    }
    this.#version += 1;
  }
}

/** Runs `run`; what it reads is read by `by`. */
function readAs<Result>(by: Signal<unknown> | null, run: () => Result): Result {
  const outer = reader;
  reader = by;
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
    for (const effect of [...due]) {
      // One that came before may have ended it.
      if (!due.delete(effect)) continue;
      try {
        if (round > MAX_ROUNDS) throw new Error('Effects go round in circles.');
        if (effect.hasNews()) effect.peek();
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

export const computed = <Content>(compute: () => Content): Signal<Content> =>
  // Nobody sees it before it is computed.
  new Signal(undefined as Content, compute);

/** Runs `act` now and whenever something that it has read changes; what it returns runs before the next time. */
export function effect(act: () => unknown): () => void {
  let cleanup: unknown;
  const clean = (): void => {
    const last = cleanup;
    cleanup = undefined;
    if (typeof last === 'function') readAs(null, () => last());
  };
  const run = computed(() => {
    clean();
    cleanup = act();
    // It may have been ended by what it did.
    if (!run.isWatched) clean();
  });
  const watcher = { onChange: () => void due.add(run) };
  const end = (): void => {
    due.delete(run);
    run.leave(watcher);
    clean();
  };
  run.watch(watcher);
  try {
    batch(() => run.peek());
  } catch (cause) {
    end();
    throw cause;
  }
  return end;
}
