import { runShutdown, type ShutdownStep } from '../kit/shutdown.ts';

/** How a resource ends. */
export interface Stop<T> {
  /** Completes "could not …" in the log. */
  readonly what: string;
  /** The time it may take; null: it limits itself. */
  readonly timeoutMs: number | null;
  readonly run: (resource: T) => Promise<unknown> | undefined;
}

/** What a platform has opened. Each resource may need those before it, so they are stopped in reverse order. */
export class Lifecycle {
  readonly #steps: ShutdownStep[] = [];
  readonly #onFailure: (what: string, error: unknown) => void;
  #stopped: Promise<void> | null = null;

  constructor(onFailure: (what: string, error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** Remembers how to stop a resource that is open now, and returns it. */
  use<T>(resource: T, { what, timeoutMs, run }: Stop<T>): T {
    this.#steps.unshift({ what, timeoutMs, run: () => run(resource) });
    return resource;
  }

  /**
   * Stops every resource, also when the one before fails or exceeds its time. Failures are reported; the promise never
   * rejects. A second call returns the promise of the first.
   */
  stop(): Promise<void> {
    this.#stopped ??= runShutdown(this.#steps, this.#onFailure);
    return this.#stopped;
  }
}
