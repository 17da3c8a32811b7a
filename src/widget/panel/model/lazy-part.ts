import { type ReadonlySignal, signal } from '@preact/signals-core';

/** Code that is loaded on demand. */
export interface LazyPart<Code> {
  /** `null` until the code has loaded. */
  readonly code: ReadonlySignal<Code | null>;
  /** True after a failed load; the next `load` tries again. */
  readonly hasFailed: ReadonlySignal<boolean>;
  /** Loads the code once. Resolves with `null` when that failed. */
  load(): Promise<Code | null>;
  /** Loads the code before it is needed. A failure counts only once `load` was called; else the next `load` tries again. */
  preload(): void;
}

export function createLazyPart<Code>(
  importCode: () => Promise<Code>,
  onFailure: (cause: unknown) => void,
): LazyPart<Code> {
  const code = signal<Code | null>(null);
  const hasFailed = signal(false);
  let isNeeded = false;
  let loading: Promise<Code | null> | null = null;
  const preload = (): Promise<Code | null> =>
    (loading ??= importCode().then(
      (loaded) => {
        hasFailed.value = false;
        code.value = loaded;
        return loaded;
      },
      (cause: unknown) => {
        loading = null;
        if (!isNeeded) return null;
        hasFailed.value = true;
        onFailure(cause);
        return null;
      },
    ));
  return {
    code,
    hasFailed,
    load() {
      isNeeded = true;
      return preload();
    },
    preload: () => void preload(),
  };
}
