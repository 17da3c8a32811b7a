import { type ReadonlySignal, signal } from '@preact/signals-core';

/** Code that is fetched when something first needs it. */
export interface Part<Code> {
  /** Null until it is there. */
  readonly code: ReadonlySignal<Code | null>;
  /** The last try to fetch it has failed; the next `need` tries again. */
  readonly hasFailed: ReadonlySignal<boolean>;
  need(): void;
}

export function createPart<Code>(load: () => Promise<Code>, onFailure: (cause: unknown) => void): Part<Code> {
  const code = signal<Code | null>(null);
  const hasFailed = signal(false);
  let isLoading = false;
  return {
    code,
    hasFailed,
    need() {
      if (isLoading || code.peek()) return;
      isLoading = true;
      load()
        .then(
          (loaded) => {
            code.value = loaded;
            hasFailed.value = false;
          },
          (cause: unknown) => {
            hasFailed.value = true;
            onFailure(cause);
          },
        )
        .finally(() => {
          isLoading = false;
        });
    },
  };
}
