import type { Clock } from './clock.ts';

/** What an expiry needs of its session. */
export interface SessionExpiryOptions {
  readonly clock: Clock;
  readonly inactivityMs: number;
  readonly hasWarning: () => boolean;
  readonly lastActivityMs: () => number;
  /** Brings the last activity up to date: another node may have heard from the user. */
  readonly refresh: () => Promise<void>;
  /** Sends SESSION_IDLE_WARNING. Source: TBD-3. */
  readonly warn: (payload: { readonly seconds_remaining: number }) => void;
  /** Ends the session if it is still idle. */
  readonly expire: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

const WARNING_MS = 60_000;
// When a session that should expire is left to another node.
const LOOK_AGAIN_MS = 1_000;
// A database that is away is not asked by every session every second.
const LONGEST_RETRY_MS = 60_000;

/** Watches one session for inactivity: HB-3, HB-4, and the warning before it. */
export class SessionExpiry {
  readonly #options: SessionExpiryOptions;
  /** The activity after which was warned: one warning per silence. */
  #warnedAfterMs = Number.NEGATIVE_INFINITY;
  #isStopped = false;
  /** Looks in a row that failed. */
  #failures = 0;
  #cancel: () => void = () => {};

  constructor(options: SessionExpiryOptions) {
    this.#options = options;
  }

  /** Begins to watch. Looks at the last activity only when a timer is due, so that activity costs nothing. */
  start(): void {
    this.#schedule(0);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  #schedule(leastMs: number): void {
    const { clock, inactivityMs, lastActivityMs } = this.#options;
    if (this.#isStopped) return;
    const warningAtMs = this.#canWarn() ? inactivityMs - WARNING_MS : inactivityMs;
    const idleMs = clock.now() - lastActivityMs();
    this.#cancel = clock.setTimer(
      () => {
        this.#look().then(
          () => {
            this.#failures = 0;
          },
          (error: unknown) => {
            this.#options.onFailure(error);
            this.#schedule(Math.min(LOOK_AGAIN_MS * 2 ** this.#failures, LONGEST_RETRY_MS));
            this.#failures += 1;
          },
        );
      },
      Math.max(warningAtMs - idleMs, leastMs),
    );
  }

  async #look(): Promise<void> {
    const { clock, inactivityMs, lastActivityMs, refresh, warn, expire } = this.#options;
    if (this.#isStopped) return;
    await refresh();
    const remainingMs = inactivityMs - (clock.now() - lastActivityMs());
    if (remainingMs <= 0) {
      await expire();
      // When it was not idle after all, because another node had heard from the user, the watch goes on.
      this.#schedule(LOOK_AGAIN_MS);
      return;
    }
    if (remainingMs <= WARNING_MS && this.#canWarn()) {
      this.#warnedAfterMs = lastActivityMs();
      warn({ seconds_remaining: Math.ceil(remainingMs / 1000) });
    }
    this.#schedule(0);
  }

  #canWarn(): boolean {
    const { hasWarning, inactivityMs, lastActivityMs } = this.#options;
    return hasWarning() && inactivityMs > WARNING_MS && this.#warnedAfterMs < lastActivityMs();
  }
}
