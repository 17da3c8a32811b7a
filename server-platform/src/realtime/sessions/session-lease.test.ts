import { beforeEach, describe, expect, it } from 'vitest';
import type { MessagingContext } from '../messaging-context.ts';
import { isSessionLoss } from '../session-loss.ts';
import { SessionLease } from './session-lease.ts';
import type { SessionState } from './session-state.ts';

const LEASE_MS = 9_000;
type Claim =
  | { readonly status: 'claimed'; readonly session: { readonly ownerEpoch: number } }
  | { readonly status: 'closed' | 'missing' }
  | { readonly status: 'owned'; readonly node: string };

describe("a node's ownership of a session", () => {
  let nowMs: number;
  /** Results of successive claims; the last one repeats. */
  let claims: Claim[];
  /** The requested takeovers, in order. */
  let asked: unknown[];
  let reachable: readonly string[];
  let isShared: boolean;
  let endedAtMs: number | null;
  beforeEach(() => {
    nowMs = 0;
    [claims, asked, reachable, isShared, endedAtMs] = [[], [], [], true, null];
  });

  const createLease = (ownerNode: string | null = null): SessionLease => {
    const clock = {
      now: () => nowMs,
      setTimer(callback: () => void, delayMs: number) {
        nowMs += delayMs;
        queueMicrotask(callback);
        return () => {};
      },
    };
    const lease = {
      ...{ node: 'me', durationMs: LEASE_MS },
      claim: async (_: string, takeover: unknown) => {
        asked.push(takeover);
        return claims.length > 1 ? claims.shift() : claims[0];
      },
    };
    const peers = { isShared, canReach: (node: string) => reachable.includes(node) };
    const state = {
      row: { id: 's', ownerNode, endedAtMs },
      applyPatch: (patch: { readonly endedAtMs: number }) => {
        endedAtMs = patch.endedAtMs;
      },
    };
    // Values that the lease reads.
    return new SessionLease(
      { lease, clock, peers } as unknown as MessagingContext,
      state as unknown as SessionState,
    );
  };
  const lossOf = async (acquiring: Promise<unknown>): Promise<unknown> => {
    const error = await acquiring.catch((caught: unknown) => caught);
    return isSessionLoss(error) ? [error.code, error.owner] : error;
  };
  const claimed = (ownerEpoch: number): Claim => ({ status: 'claimed', session: { ownerEpoch } });
  const ownedBy = (node: string): Claim => ({ status: 'owned', node });

  it("owns a session under its claim's epoch until the release", async () => {
    claims = [claimed(7)];
    const lease = createLease('other');
    expect([lease.epoch, lease.owner]).toEqual([null, 'other']);
    expect(await lease.acquire()).toEqual({ ownerEpoch: 7 });
    expect([lease.epoch, lease.owner]).toEqual([7, null]);
    lease.release();
    expect([lease.epoch, lease.owner]).toEqual([null, null]);
    lease.owner = 'another';
    expect(lease.owner).toBe('another');
  });

  it.each(['closed', 'missing'] as const)('does not acquire a session that is %s', async (status) => {
    claims = [{ status }];
    nowMs = 5;
    expect(await lossOf(createLease().acquire())).toEqual([`session_${status}`, null]);
    expect(endedAtMs).toBe(5);
  });

  it('does not acquire a session whose owner is reachable', async () => {
    claims = [ownedBy('other')];
    reachable = ['other'];
    const lease = createLease();
    expect(await lossOf(lease.acquire())).toEqual(['stale_owner', 'other']);
    expect([lease.owner, asked.length]).toEqual(['other', 1]);
  });

  it("waits for an unreachable owner's lease, unless it is not patient", async () => {
    claims = [ownedBy('other')];
    expect(await lossOf(createLease().acquire({ isPatient: false }))).toEqual(['stale_owner', 'other']);
    expect([nowMs, asked.length]).toEqual([0, 1]);
    expect(await lossOf(createLease().acquire())).toEqual(['stale_owner', 'other']);
    expect(nowMs).toBe(LEASE_MS + 1_000);
    claims = [ownedBy('other'), ownedBy('other'), claimed(2)];
    expect(await createLease().acquire()).toEqual({ ownerEpoch: 2 });
  });

  it('takes a session over from a node that released it, or from an unreachable idle one', async () => {
    claims = [ownedBy('other'), claimed(1)];
    reachable = ['other'];
    const lease = createLease('other');
    await lossOf(lease.acquire());
    lease.markReleased('other');
    await lease.acquire();
    reachable = [];
    claims = [claimed(2)];
    await createLease('other').acquire();
    await createLease('me').acquire();
    isShared = false;
    await createLease('other').acquire();
    const fromOther = (isIdleOnly: boolean) => ({ from: 'other', isIdleOnly });
    expect(asked).toEqual([null, fromOther(false), fromOther(true), null, null]);
  });

  it('takes a session over once per reported release', async () => {
    claims = [ownedBy('other')];
    reachable = ['other'];
    const lease = createLease('other');
    lease.markReleased('other');
    await lossOf(lease.acquire());
    await lossOf(lease.acquire());
    expect(asked).toEqual([{ from: 'other', isIdleOnly: false }, null]);
  });
});
