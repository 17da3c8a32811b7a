import { DatabaseError, isDatabaseError } from '../database-error.ts';
import type { EngineThread } from './engine-thread.ts';

/** The part of `EngineThread` that is used here. */
export type RestartableEngine = Pick<EngineThread, 'query' | 'close' | 'kill' | 'failure' | 'isLasting'>;

/** Options of a reopened engine. */
export type ReopenedEngineOptions<Engine extends RestartableEngine> = {
  readonly first: Engine;
  /** Opens the folder again, as after a crash. Null: the data was lost with the engine. */
  readonly reopen: (() => Promise<Engine>) | null;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
};

// Reopening replays the log, which takes a second of a core. With a full disk it fails every time.
const PAUSE_MS = 5_000;

/**
 * The embedded engine, reopened after it broke: acknowledged writes are on disk, and requests pending at that time have
 * failed as `unavailable`.
 */
export class RestartingEngine<Engine extends RestartableEngine> {
  readonly #options: ReopenedEngineOptions<Engine>;
  #engine: Engine;
  #reopening: Promise<Engine> | null = null;
  #refusal: { readonly error: DatabaseError; readonly untilMs: number } | null = null;

  constructor(options: ReopenedEngineOptions<Engine>) {
    this.#options = options;
    this.#engine = options.first;
  }

  /**
   * Returns a working engine. A transaction must stay with the engine it began in, because its statements would be
   * separate in another. Rejects with `unavailable` while none can be opened.
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

  /** Shuts the engine down, if there is one. */
  async close(): Promise<void> {
    await this.#reopening?.catch(() => undefined);
    await (this.#engine.failure === null ? this.#engine.close() : this.#engine.kill());
  }

  async #reopen(reopen: () => Promise<Engine>): Promise<Engine> {
    // Two engines on one folder would corrupt it.
    await this.#engine.kill();
    try {
      this.#engine = await reopen();
      return this.#engine;
    } catch (cause) {
      const error = isDatabaseError(cause)
        ? cause
        : new DatabaseError('unavailable', 'The embedded database could not be reopened.');
      this.#refusal = { error, untilMs: this.#options.now() + PAUSE_MS };
      throw error;
    }
  }
}
