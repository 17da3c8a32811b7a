/*
 * What stands in for `@preact/signals-core` in the script tag's build, with what of it is used there, at a third of
 * the weight. Whoever is computed from a value remembers what it was: something else is news.
 * `subscribe` is not used in the widget, and not here.
 */

/** What is being computed: it is what reads. */
let reader: Signal<unknown> | null = null;
/** Changes of any signal so far: as long as there is no other, a computed value is what it was. */
let changes = 0;
let depth = 0;
/** Effects that may have to run again. */
const due: Set<Signal<unknown>> = new Set();

/** Runs of effects that lead to effects; more are a circle. */
const MAX_RUNS = 1e5;

/** A value that is set, or one that is computed from others. */
class Signal<Content> {
  /** What was thrown, when it could not be computed. */
  #content: Content;
  #hasFailed = false;
  readonly #compute: (() => Content) | undefined;
  #checkedAt = -1;
  /** What it was computed from the last time, and what each of them was. */
  #sources = new Map<Signal<unknown>, unknown>();
  /** Without any it is not told of changes, and so is held by nothing that it was computed from. */
  readonly #readers = new Set<Signal<unknown>>();

  constructor(content: Content, compute?: () => Content) {
    this.#content = content;
    this.#compute = compute;
  }

  get value(): Content {
    const by = reader;
    // Watched from here on: the reader itself may change it before it is done.
    if (by?.isWatched) this.watch(by);
    this.#refresh();
    if (by) by.#sources.set(this, this.#content);
    return this.peek();
  }

  set value(next: Content) {
    if (next === this.#content) return;
    this.#content = next;
    changes += 1;
    batch(() => this.onChange());
  }

  peek(): Content {
    this.#refresh();
    if (this.#hasFailed) throw this.#content;
    return this.#content;
  }

  get isWatched(): boolean {
    return this.#readers.size > 0;
  }

  watch(by: Signal<unknown>): void {
    if (!this.isWatched) for (const source of this.#sources.keys()) source.watch(this);
    this.#readers.add(by);
  }

  leave(by: Signal<unknown>): void {
    this.#readers.delete(by);
    if (!this.isWatched) for (const source of this.#sources.keys()) source.leave(this);
  }

  onChange(): void {
    for (const by of this.#readers) by.onChange();
  }

  /** True when something that it was computed from has become something else since. */
  hasNews(): boolean {
    for (const [source, content] of this.#sources) {
      source.#refresh();
      if (source.#content !== content) return true;
    }
    return false;
  }

  #refresh(): void {
    const last = this.#checkedAt;
    if (!this.#compute || last === changes) return;
    this.#checkedAt = changes;
    if (last >= 0 && !this.hasNews()) return;
    const before = this.#sources;
    this.#sources = new Map();
    this.#hasFailed = false;
    try {
      this.#content = readAs(this, this.#compute);
    } catch (cause) {
      // Told to whoever reads it.
      this.#hasFailed = true;
      this.#content = cause as Content;
    }
    for (const source of before.keys()) if (!this.#sources.has(source)) source.leave(this);
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
  let runs = 0;
  // Those that become due meanwhile are at its end; whoever was ended by one before is not in it any more.
  if (depth === 1)
    for (const effect of due) {
      due.delete(effect);
      runs += 1;
      try {
        if (runs > MAX_RUNS) throw new Error('Effects go round in circles.');
        if (effect.hasNews()) effect.peek();
      } catch (cause) {
        // What one cannot do keeps no other from being done.
        failure ??= { cause };
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
    if (typeof last === 'function') readAs(null, last as () => unknown);
  };
  const run = computed(() => {
    clean();
    cleanup = act();
    // It may have been ended by what it did.
    if (!run.isWatched) clean();
  });
  // It reads itself, so to speak: what it is told makes it due.
  run.onChange = () => void due.add(run);
  const end = (): void => {
    due.delete(run);
    run.leave(run);
    clean();
  };
  run.watch(run);
  try {
    batch(() => run.peek());
  } catch (cause) {
    end();
    throw cause;
  }
  return end;
}
