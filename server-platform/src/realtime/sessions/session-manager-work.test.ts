import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSkippingClock } from '../../../test/realtime/skipping-clock.ts';
import { NO_PEERS } from '../bus/index.ts';
import type { MessagingContext } from '../messaging-context.ts';
import { SessionManager } from './session-manager.ts';

const RENEWAL_MS = 1_000;

// Fake time moves only when the test advances it, so a slow machine changes nothing.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Starts a node without sessions. */
async function startManager() {
  const clock = createSkippingClock();
  const tasks = new Map<string, () => Promise<void>>();
  const seen = { searches: 0 };
  const lease = { node: 'this', nextExpiryMs: null as number | null };
  const context = {
    clock,
    peers: NO_PEERS,
    database: {
      async query(text: string) {
        if (text.includes('FROM turns')) seen.searches += 1;
        return [];
      },
    },
    lease: {
      node: lease.node,
      renew: async () => ({ status: 'renewed', lost: [], nextExpiryMs: lease.nextExpiryMs }),
    },
    scheduler: {
      every({ what, run }: { readonly what: string; readonly run: () => Promise<void> }) {
        tasks.set(what, run);
        return { stop: async () => {} };
      },
    },
  };
  const manager = new SessionManager(context as unknown as MessagingContext);
  manager.start({ renewalMs: RENEWAL_MS, sweepMs: 60_000 });
  await settled();
  const skip = async (byMs: number): Promise<void> => {
    clock.skip(byMs);
    await settled();
  };
  return { lease, seen, skip, renew: async () => await tasks.get('renew the lease')?.() };
}

describe('a node looks for interrupted sessions', () => {
  it('looks for interrupted sessions when the node starts', async () => {
    const { seen } = await startManager();
    expect(seen.searches).toBe(1);
  });

  it('looks for interrupted sessions when the lease of another node runs out before the next renewal', async () => {
    const { lease, seen, skip, renew } = await startManager();
    lease.nextExpiryMs = 700;
    await renew();
    await skip(699);
    expect(seen.searches).toBe(1);
    await skip(1);
    expect(seen.searches).toBe(2);
    lease.nextExpiryMs = -50;
    await renew();
    await skip(0);
    expect(seen.searches).toBe(3);
  });

  it.each([null, RENEWAL_MS])(
    'does not look for interrupted sessions when the next lease expires in %s ms',
    async (nextExpiryMs) => {
      const { lease, seen, skip, renew } = await startManager();
      lease.nextExpiryMs = nextExpiryMs;
      await renew();
      await skip(10 * RENEWAL_MS);
      expect(seen.searches).toBe(1);
    },
  );
});
