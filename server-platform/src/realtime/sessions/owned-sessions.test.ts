import { expect, it } from 'vitest';
import type { MessagingContext } from '../messaging-context.ts';
import type { LeaseRenewal } from '../ownership/index.ts';
import { OwnedSessions } from './owned-sessions.ts';

/** Sets up a node's sessions: those in `live` are in memory, some still being acquired. */
function own(
  live: Readonly<Record<string, { readonly isOwned: boolean; readonly epoch: number | null }>> = {},
) {
  const seen = { given: [] as string[], warnings: [] as string[], forgotten: [] as unknown[] };
  const state: { renewal: LeaseRenewal } = { renewal: { status: 'lost' } };
  const lease = { node: 'one', onLost: () => {}, renew: async () => state.renewal };
  const context = {
    lease,
    database: {
      query: async (_text: string, params: readonly unknown[]) => {
        seen.forgotten.push(params);
        return [];
      },
    },
    observer: { warned: (what: string, id?: string) => seen.warnings.push(id ?? what) },
  } as unknown as MessagingContext;
  const sessions = Object.entries(live).map(
    ([id, found]) => [id, { ...found, loseOwnership: () => void seen.given.push(id) }] as const,
  );
  const owned = new OwnedSessions(context, new Map(sessions));
  const renew = (lost: readonly { sessionId: string; epoch: number }[], nextExpiryMs: number | null) => {
    state.renewal = { status: 'renewed', lost, nextExpiryMs };
    return owned.renew();
  };
  return { owned, seen, lease, renew };
}

const ACQUIRING = { isOwned: true, epoch: null };
const RELEASED = { isOwned: false, epoch: null };
const owns = (epoch: number) => ({ isOwned: true, epoch });

it('releases only sessions that another node took under a later epoch', async () => {
  const { seen, renew } = own({ taken: owns(3), back: owns(5), gone: RELEASED });
  const lost = [
    { sessionId: 'taken', epoch: 4 },
    { sessionId: 'back', epoch: 5 },
  ];
  expect(await renew(lost, 700)).toBe(700);
  expect([seen.given, seen.warnings]).toEqual([['taken'], ['taken']]);
  expect(seen.forgotten).toEqual([['one', ['taken', 'back'], [4, 5]]]);
});

it('keeps a reported loss while the session is being claimed, because the order of the claims is unknown', async () => {
  const { seen, renew } = own({ claiming: ACQUIRING, idle: RELEASED });
  const lost = ['claiming', 'idle', 'unknown'].map((sessionId) => ({ sessionId, epoch: 2 }));
  expect(await renew(lost, null)).toBeNull();
  expect(seen.forgotten).toEqual([['one', ['idle', 'unknown'], [2, 2]]]);
  expect(seen.given).toEqual([]);
});

it('searches for sessions without an owner at once after losing the lease', async () => {
  const { owned, seen } = own();
  expect(await owned.renew()).toBe(0);
  expect(seen.forgotten).toEqual([]);
});

it('releases all sessions when the lease is lost', () => {
  const { seen, lease } = own({ one: owns(1), two: owns(1) });
  lease.onLost();
  expect(seen.given).toEqual(['one', 'two']);
  expect(seen.warnings).toEqual(["lost this node's lease and its sessions"]);
});
