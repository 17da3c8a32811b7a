import { forgetLostSessions, type LostSession } from '../db/index.ts';
import type { LiveSession } from './live-session.ts';
import type { SessionServices } from './session-services.ts';

/** The sessions that this node owns, by the epoch under which it owns each: kept by one lease. */
export class OwnedSessions {
  readonly #services: SessionServices;
  readonly #get: (sessionId: string) => LiveSession | undefined;
  readonly #epochs = new Map<string, number>();

  constructor(services: SessionServices, get: (sessionId: string) => LiveSession | undefined) {
    this.#services = services;
    this.#get = get;
    services.lease.onLost = () => this.#loseAll();
  }

  epochOf(sessionId: string): number | undefined {
    return this.#epochs.get(sessionId);
  }

  add(sessionId: string, epoch: number): void {
    this.#epochs.set(sessionId, epoch);
  }

  delete(sessionId: string): void {
    this.#epochs.delete(sessionId);
  }

  /**
   * Renews the lease, and lets go of the sessions that other nodes have taken. Resolves with the time in milliseconds after
   * which there may be sessions whose owner's lease ran out; `null`: no other node has a lease.
   */
  async renew(): Promise<number | null> {
    const { database, lease } = this.#services;
    const renewal = await lease.renew();
    // The node's own sessions are among those that need an owner now.
    if (renewal.status === 'lost') return 0;
    const settled = renewal.lost.filter((lost) => this.#noteLost(lost));
    await forgetLostSessions(database, lease.node, settled);
    return renewal.nextExpiryMs;
  }

  /** Whether it is settled: while this node claims the session, it is not known yet which claim came first. */
  #noteLost({ sessionId, epoch }: LostSession): boolean {
    const live = this.#get(sessionId);
    const ownEpoch = this.#epochs.get(sessionId);
    if (ownEpoch === undefined) return live?.isOwned !== true;
    if (ownEpoch < epoch) {
      this.#services.observer.warned('another node has taken a session', sessionId);
      live?.loseOwnership();
    }
    return true;
  }

  /** Without the lease any node may take them: each is claimed again with its next input. */
  #loseAll(): void {
    this.#services.observer.warned('the lease of this node was lost, and its sessions with it');
    for (const sessionId of [...this.#epochs.keys()]) this.#get(sessionId)?.loseOwnership();
  }
}
