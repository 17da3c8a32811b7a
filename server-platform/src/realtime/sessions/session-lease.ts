import { sleep } from '../../kit/clock.ts';
import type { StoredSession } from '../event-log/index.ts';
import type { MessagingContext } from '../messaging-context.ts';
import type { Takeover } from '../ownership/index.ts';
import { SessionLossError } from '../session-loss.ts';
import type { SessionState } from './session-state.ts';

/** Options of an acquisition. */
export interface AcquireOptions {
  /** Whether to wait until an unreachable owner's lease expires. Default true. */
  readonly isPatient?: boolean;
}

// A dead node keeps its lease until it expires; an acquisition waits for that and this much longer.
const ACQUIRE_GRACE_MS = 1_000;
const ACQUIRE_RETRY_MS = 500;

/**
 * This node's ownership of one session. The epoch is a fencing token: it rises with every acquisition, and every append
 * compares it, so a former owner can never write again.
 *
 * | event                                        | owner before      | owner after                |
 * |----------------------------------------------|-------------------|----------------------------|
 * | `acquire`: free, expired, or this node's own | none, this node   | this node, a higher epoch  |
 * | `acquire`: takes over from an unreachable one| another node      | this node, a higher epoch  |
 * | `acquire` rejects                            | another node      | that node                  |
 * | `release`: ended, discarded, or lost         | this node         | none as far as it knows    |
 */
export class SessionLease {
  readonly #context: MessagingContext;
  readonly #state: SessionState;
  #epoch: number | null = null;
  #owner: string | null;
  /** The owner that reported releasing the session, although its lease may still be valid. */
  #releasedBy: string | null = null;
  /** Called when a failed append leaves the log or the ownership in doubt. */
  onLeaseLost: (error: unknown) => void = () => {};

  constructor(context: MessagingContext, state: SessionState) {
    this.#context = context;
    this.#state = state;
    this.#owner = state.row.ownerNode;
  }

  /** The epoch under which this node writes the session; `null` while it does not. */
  get epoch(): number | null {
    return this.#epoch;
  }

  /** The other node that owns the session, to this node's knowledge. */
  get owner(): string | null {
    return this.#epoch !== null || this.#owner === this.#context.lease.node ? null : this.#owner;
  }

  set owner(owner: string | null) {
    this.#owner = owner;
  }

  /** Records that the owner reported releasing the session. */
  markReleased(owner: string): void {
    this.#releasedBy = owner;
  }

  /**
   * Acquires the session and resolves with its row. Rejects with a `SessionLossError` when the session is over or
   * another node owns it: immediately if that node is reachable or `isPatient` is false, otherwise once its lease
   * should have expired.
   */
  async acquire({ isPatient = true }: AcquireOptions = {}): Promise<StoredSession> {
    const { lease, clock, peers } = this.#context;
    const giveUpAtMs = clock.now() + (isPatient ? lease.durationMs + ACQUIRE_GRACE_MS : 0);
    for (;;) {
      const claim = await lease.claim(this.#state.row.id, this.#takeover());
      this.#releasedBy = null;
      if (claim.status === 'claimed') {
        this.#owner = lease.node;
        this.#epoch = claim.session.ownerEpoch;
        return claim.session;
      }
      if (claim.status === 'closed' || claim.status === 'missing') {
        this.#state.applyPatch({ endedAtMs: this.#state.row.endedAtMs ?? clock.now() });
        throw new SessionLossError(`session_${claim.status}`);
      }
      this.#owner = claim.node;
      if (peers.canReach(claim.node) || clock.now() >= giveUpAtMs)
        throw new SessionLossError('stale_owner', claim.node);
      await sleep(clock, ACQUIRE_RETRY_MS);
    }
  }

  /** This node no longer writes the session: the next command acquires it again. */
  release(): void {
    this.#epoch = null;
  }

  /** The node from which the session may be taken before its lease expires. */
  #takeover(): Takeover | null {
    const { owner } = this;
    const { peers } = this.#context;
    if (owner === null || !peers.isShared) return null;
    if (this.#releasedBy === owner) return { from: owner, isIdleOnly: false };
    return peers.canReach(owner) ? null : { from: owner, isIdleOnly: true };
  }
}
