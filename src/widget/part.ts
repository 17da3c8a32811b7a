import { type ReadonlySignal, signal } from '@preact/signals-core';

/** Code that is fetched when something first needs it. */
export interface Part<Code> {
  /** Null until it is there. */
  readonly code: ReadonlySignal<Code | null>;
  /** The last try to fetch it has failed; the next `need` tries again. */
  readonly hasFailed: ReadonlySignal<boolean>;
  /** Resolves with null when it could not be fetched. */
  need(): Promise<Code | null>;
}

export function createPart<Code>(load: () => Promise<Code>, onFailure: (cause: unknown) => void): Part<Code> {
  const code = signal<Code | null>(null);
  const hasFailed = signal(false);
  let loading: Promise<Code | null> | null = null;
  return {
    code,
    hasFailed,
    need: () =>
      (loading ??= load().then(
        (loaded) => {
          hasFailed.value = false;
          code.value = loaded;
          return loaded;
        },
        (cause: unknown) => {
          loading = null;
          hasFailed.value = true;
          onFailure(cause);
          return null;
        },
      )),
  };
}
