import type { MessagingContext } from '../messaging-context.ts';
import { forgetLostSessions, type LostSession } from '../ownership/index.ts';
import type { Session } from './session.ts';

/** A session of this node, as its lease sees it. */
type OwnedSession = Pick<Session, 'epoch' | 'isOwned' | 'loseOwnership'>;

/** Keeps the sessions that this node owns by one lease, and releases those that were taken. */
export class OwnedSessions {
  readonly #context: MessagingContext;
  readonly #sessions: ReadonlyMap<string, OwnedSession>;
  readonly #onLoss: () => void;

  /** `onLoss` is called when other nodes have, or may have, written sessions that this node owned. */
  constructor(
    context: MessagingContext,
    sessions: ReadonlyMap<string, OwnedSession>,
    onLoss: () => void = () => {},
  ) {
    this.#context = context;
    this.#sessions = sessions;
    this.#onLoss = onLoss;
    context.lease.onLost = () => this.#loseAll();
  }

  /**
   * Renews the lease, and releases the sessions that other nodes have taken. Resolves with the time in milliseconds after
   * which there may be sessions whose owner's lease expired; `null`: no other node has a lease.
   */
  async renew(): Promise<number | null> {
    const { database, lease } = this.#context;
    const renewal = await lease.renew();
    // The node's own sessions are among those that need an owner now.
    if (renewal.status === 'lost') return 0;
    const settled = renewal.lost.filter((lost) => this.#noteLost(lost));
    await forgetLostSessions(database, lease.node, settled);
    return renewal.nextExpiryMs;
  }

  /** Whether it is settled: while this node acquires the session, it is not known yet which claim came first. */
  #noteLost({ sessionId, epoch }: LostSession): boolean {
    const session = this.#sessions.get(sessionId);
    const ownEpoch = session?.epoch ?? null;
    if (ownEpoch === null) return session?.isOwned !== true;
    if (ownEpoch < epoch) {
      this.#context.observer.warned('another node has taken a session', sessionId);
      session?.loseOwnership();
      this.#onLoss();
    }
    return true;
  }

  /** Without the lease any node may take them: each is acquired again with its next command. */
  #loseAll(): void {
    this.#context.observer.warned('the lease of this node was lost, and its sessions with it');
    for (const session of this.#sessions.values()) session.loseOwnership();
    this.#onLoss();
  }
}
