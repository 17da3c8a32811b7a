import type { MessagingContext } from '../messaging-context.ts';
import { forgetLostSessions, type LostSession } from '../ownership/index.ts';
import type { Session } from './session.ts';

/** A session of this node, as used by its lease. */
type OwnedSession = Pick<Session, 'epoch' | 'isOwned' | 'loseOwnership'>;

/** Renews the lease of this node's sessions, and releases sessions that other nodes took. */
export class OwnedSessions {
  readonly #context: MessagingContext;
  readonly #sessions: ReadonlyMap<string, OwnedSession>;
  readonly #onLoss: () => void;

  /** `onLoss` is called when other nodes have written, or may have written, sessions of this node. */
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
   * Renews the lease, and releases sessions that other nodes have taken. Resolves with the time in milliseconds after
   * which another node's lease may have expired; `null` if no other node has a lease.
   */
  async renew(): Promise<number | null> {
    const { database, lease } = this.#context;
    const renewal = await lease.renew();
    // This node's own sessions also need an owner now.
    if (renewal.status === 'lost') return 0;
    const settled = renewal.lost.filter((lost) => this.#noteLost(lost));
    await forgetLostSessions(database, lease.node, settled);
    return renewal.nextExpiryMs;
  }

  /**
   * Returns whether the loss is settled. While this node acquires the session, it is unknown which claim came first.
   */
  #noteLost({ sessionId, epoch }: LostSession): boolean {
    const session = this.#sessions.get(sessionId);
    const ownEpoch = session?.epoch ?? null;
    if (ownEpoch === null) return session?.isOwned !== true;
    if (ownEpoch < epoch) {
      this.#context.observer.warned('another node has acquired a session', sessionId);
      session?.loseOwnership();
      this.#onLoss();
    }
    return true;
  }

  /** Without a lease any node may take the sessions; the next command acquires each again. */
  #loseAll(): void {
    this.#context.observer.warned("lost this node's lease and its sessions");
    for (const session of this.#sessions.values()) session.loseOwnership();
    this.#onLoss();
  }
}
