import { transientEvent } from '../conversation/index.ts';
import { loadSession } from '../event-log/index.ts';
import type { MessagingContext } from '../messaging-context.ts';
import { isSessionLoss } from '../session-loss.ts';
import type { SessionLease } from './session-lease.ts';
import type { SessionState } from './session-state.ts';

/** The session as its idle monitor uses it. */
export interface IdleMonitorOptions {
  readonly context: MessagingContext;
  readonly state: Pick<SessionState, 'row' | 'connector'>;
  readonly lease: Pick<SessionLease, 'owner'>;
  /** Ends the session if it is still idle. */
  readonly expireIfIdle: () => Promise<void>;
}

const WARNING_MS = 60_000;
// Two heartbeats of a hidden tab: after such a silence desks show the visitor as idle.
const SILENCE_MS = 120_000;
// The next look at a session that should expire and was left to another node.
const LOOK_AGAIN_MS = 1_000;
// A database that is away is not asked by every session every second.
const LONGEST_RETRY_MS = 60_000;

/**
 * Knows when the user was last active, on this node or, by the database, on another one. Warns a minute before the
 * session expires, where the connector says so, and expires it. Source: HB-3, HB-4, TBD-3.
 */
export class IdleMonitor {
  readonly #options: IdleMonitorOptions;
  #lastMs: number;
  /** The activity after which was warned: one warning per silence. */
  #warnedAfterMs = Number.NEGATIVE_INFINITY;
  #isStopped = true;
  /** Looks in a row that failed. */
  #failures = 0;
  #cancel: () => void = () => {};

  constructor(options: IdleMonitorOptions) {
    this.#options = options;
    this.#lastMs = options.state.row.lastActivityMs;
  }

  get lastMs(): number {
    return this.#lastMs;
  }

  get idleMs(): number {
    return this.#options.context.clock.now() - this.#lastMs;
  }

  /** Begins to watch. Only a timer looks at the last activity, so that activity costs nothing. */
  start(): void {
    this.#isStopped = false;
    this.#schedule(0);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  /** The user is active on this node, now. */
  note(): void {
    const { clock, activity, limits, observer } = this.#options.context;
    const { id: sessionId } = this.#options.state.row;
    const { idleMs } = this;
    this.learn(clock.now());
    activity.touch(sessionId, clock.now());
    // Other nodes and desks, which have received no frame, read whether the session is idle.
    if (idleMs > Math.min(limits.inactivityMs / 2, SILENCE_MS)) {
      activity.flush().catch((error: unknown) => observer.failed('note activity', error, { sessionId }));
    }
  }

  /** The user was active at that time, on any node. */
  learn(atMs: number): void {
    this.#lastMs = Math.max(this.#lastMs, atMs);
  }

  /** Reads whether the user was active on another node. */
  async refresh(): Promise<void> {
    const { context, state } = this.#options;
    if (context.peers.isAlone) return;
    this.learn((await loadSession(context.database, state.row.id))?.lastActivityMs ?? 0);
  }

  #schedule(leastMs: number): void {
    const { clock, limits, observer } = this.#options.context;
    if (this.#isStopped) return;
    const warningAtMs = this.#canWarn() ? limits.inactivityMs - WARNING_MS : limits.inactivityMs;
    const look = (): void => {
      this.#look().then(
        () => {
          this.#failures = 0;
        },
        (error: unknown) => {
          // The session manager looks for idle sessions as well.
          observer.failed('expire a session', error, { sessionId: this.#options.state.row.id });
          this.#schedule(Math.min(LOOK_AGAIN_MS * 2 ** this.#failures, LONGEST_RETRY_MS));
          this.#failures += 1;
        },
      );
    };
    this.#cancel = clock.setTimer(look, Math.max(warningAtMs - this.idleMs, leastMs));
  }

  async #look(): Promise<void> {
    const { limits } = this.#options.context;
    if (this.#isStopped) return;
    await this.refresh();
    const remainingMs = limits.inactivityMs - this.idleMs;
    if (remainingMs <= 0) {
      await this.#expire();
      // Continues the watch if the session was active on another node.
      this.#schedule(LOOK_AGAIN_MS);
      return;
    }
    if (remainingMs <= WARNING_MS && this.#canWarn()) {
      this.#warnedAfterMs = this.#lastMs;
      this.#warn(Math.ceil(remainingMs / 1000));
    }
    this.#schedule(0);
  }

  async #expire(): Promise<void> {
    try {
      await this.#options.expireIfIdle();
    } catch (error) {
      // The owner node expires it.
      if (!isSessionLoss(error)) throw error;
    }
  }

  /** Every node with a socket watches; the owner warns. */
  #warn(secondsRemaining: number): void {
    const { context, lease, state } = this.#options;
    if (!context.peers.isAlone && lease.owner !== null) return;
    const payload = { seconds_remaining: secondsRemaining };
    const warning = transientEvent(context.clock.now(), 'EVENT_TYPE_SESSION_IDLE_WARNING', payload);
    context.bus.publish(state.row.id, { kind: 'events', events: [warning] });
  }

  #canWarn(): boolean {
    const { context, state } = this.#options;
    return (
      state.connector.hasIdleWarning &&
      context.limits.inactivityMs > WARNING_MS &&
      this.#warnedAfterMs < this.#lastMs
    );
  }
}
