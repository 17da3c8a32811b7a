import { loadSession } from '../db/index.ts';
import { transientEvent } from './outgoing.ts';
import { SessionExpiry } from './session-expiry.ts';
import type { SessionHold } from './session-hold.ts';
import type { SessionServices } from './session-services.ts';
import { isSessionLoss } from './session-writer.ts';

/** What watching a session's activity needs of it. */
export interface SessionActivityOptions {
  readonly services: SessionServices;
  readonly hold: SessionHold;
  readonly hasWarning: () => boolean;
  /** Ends the session if it is still idle. */
  readonly expireIfIdle: () => Promise<void>;
  readonly report: (what: string) => (error: unknown) => void;
}

/** When the user was last heard, on this node or, by the database, on another; and the watch for silence. */
export class SessionActivity {
  readonly #options: SessionActivityOptions;
  readonly #expiry: SessionExpiry;
  #lastMs: number;

  constructor(options: SessionActivityOptions) {
    const { services, hold, report } = options;
    const { clock, limits, bus, peers } = services;
    this.#options = options;
    this.#lastMs = hold.facts.lastActivityMs;
    this.#expiry = new SessionExpiry({
      clock,
      inactivityMs: limits.inactivityMs,
      hasWarning: options.hasWarning,
      lastActivityMs: () => this.#lastMs,
      refresh: () => this.refresh(),
      warn: (payload) => {
        // Every node with a socket watches; the owner warns.
        if (!peers.isAlone && hold.owner !== null) return;
        const warning = transientEvent(clock.now(), 'EVENT_TYPE_SESSION_IDLE_WARNING', payload);
        bus.publish(hold.facts.id, { kind: 'events', events: [warning] });
      },
      expire: () =>
        options.expireIfIdle().catch((error: unknown) => {
          // Its owner sees to it.
          if (!isSessionLoss(error)) throw error;
        }),
      // The registry looks for idle sessions as well, and tries again.
      onFailure: report('expire a session'),
    });
  }

  get lastMs(): number {
    return this.#lastMs;
  }

  get idleMs(): number {
    return this.#options.services.clock.now() - this.#lastMs;
  }

  watch(): void {
    this.#expiry.start();
  }

  stop(): void {
    this.#expiry.stop();
  }

  /** The user was heard on this node, now. */
  note(): void {
    const { services, hold, report } = this.#options;
    const { clock, activity, limits } = services;
    const { idleMs } = this;
    this.learn(clock.now());
    activity.touch(hold.facts.id, clock.now());
    // A node that has heard nothing is about to read whether the session is idle.
    if (idleMs > limits.inactivityMs / 2) activity.flush().catch(report('note activity'));
  }

  /** The user was heard at that time, somewhere. */
  learn(atMs: number): void {
    this.#lastMs = Math.max(this.#lastMs, atMs);
  }

  /** Reads whether another node has heard the user. */
  async refresh(): Promise<void> {
    const { services, hold } = this.#options;
    if (services.peers.isAlone) return;
    this.learn((await loadSession(services.database, hold.facts.id))?.lastActivityMs ?? 0);
  }
}
