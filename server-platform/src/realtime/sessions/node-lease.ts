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

/** What a node's lease is made of. */
export interface NodeLeaseOptions {
  readonly database: Database;
  /** Name of this node, which no other process has at the same time. */
  readonly node: string;
  /** Default: `LEASE_MS`. */
  readonly durationMs?: number;
}

/** What became of a claim under a lease that has not run out. */
export type LeasedClaim = Exclude<ClaimResult, { readonly status: 'no_lease' }>;

// Claims that share a statement, as they do when a node died or all clients come back.
const CLAIMS_AT_ONCE = 100;

/**
 * The lease under which this node owns its sessions: one row in the database for any number of sessions. It decides
 * when other nodes may take them, and nothing else: what keeps a former owner from writing is the session's own epoch.
 */
export class NodeLease {
  readonly node: string;
  readonly durationMs: number;
  readonly #database: Database;
  readonly #claims: BatchLoader<ClaimRequest, ClaimResult>;
  #key: Promise<NodeLeaseKey> | null = null;
  #isReleased = false;
  #renewing: Promise<LeaseRenewal> | null = null;
  /** Called when the lease was lost, before another one is acquired: the node owns no session any more. */
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

  /** The lease; acquires it when the node has none. Rejects after `release`. */
  key(): Promise<NodeLeaseKey> {
    if (this.#isReleased) return Promise.reject(new Error('The node has given its lease up.'));
    if (this.#key !== null) return this.#key;
    const acquiring = acquireNodeLease(this.#database, this.node, this.durationMs);
    this.#key = acquiring;
    acquiring.catch(() => {
      if (this.#key === acquiring) this.#key = null;
    });
    return acquiring;
  }

  /** Makes this node the owner of a session, if it can be. Claims at the same time share a statement. */
  async claim(sessionId: string, takeover: Takeover | null): Promise<LeasedClaim> {
    for (;;) {
      const result = await this.#claims.get({ sessionId, takeover });
      if (result.status !== 'no_lease') return result;
      // This process was held up for longer than the lease lasts.
      await this.renew();
    }
  }

  /** Extends the lease, or acquires another one when it was lost. Calls at the same time share one statement. */
  renew(): Promise<LeaseRenewal> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  /** Ends the lease for good: other nodes may claim this node's sessions at once. */
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
