import { runShutdown, type ShutdownStep } from '../kit/shutdown.ts';

/** One step of the shutdown: a resource and how to stop it. */
export interface Stop<T> {
  /** Completes "could not …" in the log. */
  readonly what: string;
  /** Time limit; null: the resource limits itself. */
  readonly timeoutMs: number | null;
  readonly run: (resource: T) => Promise<unknown> | undefined;
}

/** The open resources of a platform. Each may depend on earlier ones, so they are stopped in reverse order. */
export class Lifecycle {
  readonly #steps: ShutdownStep[] = [];
  readonly #onFailure: (what: string, error: unknown) => void;
  #stopped: Promise<void> | null = null;

  constructor(onFailure: (what: string, error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** Registers how to stop an open resource, and returns the resource. */
  use<T>(resource: T, { what, timeoutMs, run }: Stop<T>): T {
    this.#steps.unshift({ what, timeoutMs, run: () => run(resource) });
    return resource;
  }

  /**
   * Stops every resource, even if an earlier one fails or exceeds its time. Failures are reported; the promise never
   * rejects. A second call returns the promise of the first.
   */
  stop(): Promise<void> {
    this.#stopped ??= runShutdown(this.#steps, this.#onFailure);
    return this.#stopped;
  }
}
