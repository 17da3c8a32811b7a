import { BatchLoader, type Database } from '../../db/index.ts';
import {
  acquireNodeLease,
  type ClaimRequest,
  type ClaimResult,
  claimSessions,
  LEASE_MS,
  type LeaseRenewal,
  type NodeLeaseKey,
  releaseNodeLease,
  renewNodeLease,
  type Takeover,
} from '../ownership/index.ts';

/** Options of a node's lease. */
export interface NodeLeaseOptions {
  readonly database: Database;
  /** Name of this node, unique among running processes. */
  readonly node: string;
  /** Default: `LEASE_MS`. */
  readonly durationMs?: number;
}

/** Result of a claim under a valid lease. */
export type LeasedClaim = Exclude<ClaimResult, { readonly status: 'no_lease' }>;

// Claims per statement when a node has died or all clients reconnect.
const CLAIMS_AT_ONCE = 100;

/**
 * The lease under which this node owns its sessions: one database row for all sessions. It only decides when other
 * nodes may take them; a session's epoch prevents writes by a former owner.
 */
export class NodeLease {
  readonly node: string;
  readonly durationMs: number;
  readonly #database: Database;
  readonly #claims: BatchLoader<ClaimRequest, ClaimResult>;
  #key: Promise<NodeLeaseKey> | null = null;
  #isReleased = false;
  #renewing: Promise<LeaseRenewal> | null = null;
  /** Called after the lease was lost and before another one is acquired: the node owns no session now. */
  onLost: () => void = () => {};

  constructor({ database, node, durationMs = LEASE_MS }: NodeLeaseOptions) {
    this.#database = database;
    this.#claims = new BatchLoader({
      read: async (requests) => await claimSessions(database, await this.key(), requests),
      maxKeys: CLAIMS_AT_ONCE,
    });
    this.node = node;
    this.durationMs = durationMs;
  }

  /** Returns the lease, acquiring it first if necessary. Rejects after `release`. */
  key(): Promise<NodeLeaseKey> {
    if (this.#isReleased) return Promise.reject(new Error('The node has released its lease.'));
    if (this.#key !== null) return this.#key;
    const acquiring = acquireNodeLease(this.#database, this.node, this.durationMs);
    this.#key = acquiring;
    acquiring.catch(() => {
      if (this.#key === acquiring) this.#key = null;
    });
    return acquiring;
  }

  /** Acquires a session for this node, if possible. Concurrent claims share a statement. */
  async claim(sessionId: string, takeover: Takeover | null): Promise<LeasedClaim> {
    for (;;) {
      const result = await this.#claims.get({ sessionId, takeover });
      if (result.status !== 'no_lease') return result;
      // This process was suspended for longer than the lease.
      await this.renew();
    }
  }

  /** Extends the lease, or acquires a new one if it was lost. Concurrent calls share one statement. */
  renew(): Promise<LeaseRenewal> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  /** Releases the lease for good, so that other nodes may claim its sessions at once. */
  async release(): Promise<void> {
    this.#isReleased = true;
    const key = await this.#key;
    if (key !== null) await releaseNodeLease(this.#database, key);
  }

  async #renew(): Promise<LeaseRenewal> {
    const renewal = await renewNodeLease(this.#database, await this.key(), this.durationMs);
    if (renewal.status === 'lost') {
      this.#key = null;
      this.onLost();
      await this.key();
    }
    return renewal;
  }
}
