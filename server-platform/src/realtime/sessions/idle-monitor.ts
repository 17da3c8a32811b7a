import { transientEvent } from '../conversation/index.ts';
import { loadSession } from '../event-log/index.ts';
import type { MessagingContext } from '../messaging-context.ts';
import { isSessionLoss } from '../session-loss.ts';
import type { SessionLease } from './session-lease.ts';
import type { SessionState } from './session-state.ts';

/** The session as seen by its idle monitor. */
export interface IdleMonitorOptions {
  readonly context: MessagingContext;
  readonly state: Pick<SessionState, 'row' | 'connector'>;
  readonly lease: Pick<SessionLease, 'owner'>;
  /** Ends the session if it is still idle. */
  readonly expireIfIdle: () => Promise<void>;
}

const WARNING_MS = 60_000;
// Two heartbeats of a hidden tab; desks show the visitor as idle after this.
const SILENCE_MS = 120_000;
// Next check of an idle session that another node should expire.
const LOOK_AGAIN_MS = 1_000;
// Backs off, so that sessions do not all query an unavailable database every second.
const LONGEST_RETRY_MS = 60_000;

/**
 * Tracks the user's last activity, on this node or, from the database, on another one. Warns a minute before the
 * session expires, if the connector is configured to, and expires it. Source: HB-3, HB-4, TBD-3.
 */
export class IdleMonitor {
  readonly #options: IdleMonitorOptions;
  #lastMs: number;
  /** Activity time of the last warning, so that each silence gets one warning. */
  #warnedAfterMs = Number.NEGATIVE_INFINITY;
  #isStopped = true;
  /** Consecutive failed checks. */
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

  /** Starts the monitor. Only a timer checks the last activity, so that recording activity is cheap. */
  start(): void {
    this.#isStopped = false;
    this.#schedule(0);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  /** Records that the user is active on this node now. */
  note(): void {
    const { clock, activity, limits, observer } = this.#options.context;
    const { id: sessionId } = this.#options.state.row;
    const { idleMs } = this;
    this.learn(clock.now());
    activity.touch(sessionId, clock.now());
    // Other nodes and desks received no frame and read idleness from the database.
    if (idleMs > Math.min(limits.inactivityMs / 2, SILENCE_MS)) {
      activity.flush().catch((error: unknown) => observer.failed('store activity', error, { sessionId }));
    }
  }

  /** Records user activity on any node at that time. */
  learn(atMs: number): void {
    this.#lastMs = Math.max(this.#lastMs, atMs);
  }

  /** Reads activity on other nodes from the database. */
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
          // The session manager's sweep also finds idle sessions.
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
      // Continues if the session was active on another node.
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

  /** Every node with a socket monitors; only the owner warns. */
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
