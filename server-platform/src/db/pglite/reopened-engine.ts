import { DatabaseError, isDatabaseError } from '../database-error.ts';
import type { EngineThread } from './engine-thread.ts';

/** An engine as it is kept: what `EngineThread` does. */
export type KeptEngine = Pick<EngineThread, 'query' | 'close' | 'kill' | 'failure' | 'isLasting'>;

/** What keeping an engine open takes. */
export type ReopenedEngineOptions<Engine extends KeptEngine> = {
  readonly first: Engine;
  /** Opens the folder again, as after a crash. Null: the data was lost with the engine. */
  readonly reopen: (() => Promise<Engine>) | null;
  /** Milliseconds on any clock that never goes back. */
  readonly now: () => number;
};

// Opening replays the log, at the cost of a second of a core. With no room on the disk it fails, time and again.
const PAUSE_MS = 5_000;

/**
 * The embedded engine, opened again after it broke: acknowledged writes are on the disk, and the pending
 * meanwhile has failed as `unavailable`.
 */
export class ReopenedEngine<Engine extends KeptEngine> {
  readonly #options: ReopenedEngineOptions<Engine>;
  #engine: Engine;
  #reopening: Promise<Engine> | null = null;
  #refusal: { readonly error: DatabaseError; readonly untilMs: number } | null = null;

  constructor(options: ReopenedEngineOptions<Engine>) {
    this.#options = options;
    this.#engine = options.first;
  }

  /**
   * An engine that answers. A transaction continues in the engine where it began: elsewhere its statements would
   * not be one transaction there. Rejects with `unavailable` while none can be opened.
   */
  async engine(): Promise<Engine> {
    const { failure, isLasting } = this.#engine;
    if (failure === null) return this.#engine;
    const { reopen, now } = this.#options;
    if (reopen === null || isLasting) throw failure;
    if (this.#refusal !== null && now() < this.#refusal.untilMs) throw this.#refusal.error;
    this.#reopening ??= this.#reopen(reopen).finally(() => {
      this.#reopening = null;
    });
    return await this.#reopening;
  }

  /** Shuts the engine down in order, if there is one. */
  async close(): Promise<void> {
    await this.#reopening?.catch(() => undefined);
    await (this.#engine.failure === null ? this.#engine.close() : this.#engine.kill());
  }

  async #reopen(reopen: () => Promise<Engine>): Promise<Engine> {
    // Two engines on one folder would destroy it.
    await this.#engine.kill();
    try {
      this.#engine = await reopen();
      return this.#engine;
    } catch (cause) {
      const error = isDatabaseError(cause)
        ? cause
        : new DatabaseError('unavailable', 'The embedded database could not be opened again.');
      this.#refusal = { error, untilMs: this.#options.now() + PAUSE_MS };
      throw error;
    }
  }
}
