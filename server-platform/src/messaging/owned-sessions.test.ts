import { expect, it } from 'vitest';
import type { LeaseRenewal } from '../db/index.ts';
import type { LiveSession } from './live-session.ts';
import { OwnedSessions } from './owned-sessions.ts';
import type { SessionServices } from './session-services.ts';

/** The sessions of a node: those in `live` are in its memory, some of them being claimed. */
function own(live: Readonly<Record<string, { isOwned: boolean }>> = {}) {
  const seen = { given: [] as string[], warnings: [] as string[], forgotten: [] as unknown[] };
  const state: { renewal: LeaseRenewal } = { renewal: { status: 'lost' } };
  const lease = { node: 'one', onLost: () => {}, renew: async () => state.renewal };
  const services = {
    lease,
    database: {
      query: async (_text: string, params: readonly unknown[]) => {
        seen.forgotten.push(params);
        return [];
      },
    },
    observer: { warned: (what: string, id?: string) => seen.warnings.push(id ?? what) },
  } as unknown as SessionServices;
  const owned = new OwnedSessions(services, (id) => {
    const found = live[id];
    return found && ({ ...found, loseOwnership: () => seen.given.push(id) } as unknown as LiveSession);
  });
  const renew = (lost: readonly { sessionId: string; epoch: number }[], nextExpiryMs: number | null) => {
    state.renewal = { status: 'renewed', lost, nextExpiryMs };
    return owned.renew();
  };
  return { owned, seen, lease, renew };
}

const LIVE = { isOwned: true };

it('lets go of what another node has taken under a later epoch, and of nothing else', async () => {
  const { owned, seen, renew } = own({ taken: LIVE, back: LIVE, gone: LIVE });
  owned.add('taken', 3);
  owned.add('back', 5);
  owned.add('gone', 1);
  owned.delete('gone');
  expect(['taken', 'back', 'gone'].map((id) => owned.epochOf(id))).toEqual([3, 5, undefined]);
  const lost = [
    { sessionId: 'taken', epoch: 4 },
    { sessionId: 'back', epoch: 5 },
  ];
  expect(await renew(lost, 700)).toBe(700);
  expect([seen.given, seen.warnings]).toEqual([['taken'], ['taken']]);
  expect(seen.forgotten).toEqual([['one', ['taken', 'back'], [4, 5]]]);
});

it('keeps the note of a loss while the session is being claimed: it is not known which claim came first', async () => {
  const { seen, renew } = own({ claiming: LIVE, idle: { isOwned: false } });
  const lost = ['claiming', 'idle', 'unknown'].map((sessionId) => ({ sessionId, epoch: 2 }));
  expect(await renew(lost, null)).toBeNull();
  expect(seen.forgotten).toEqual([['one', ['idle', 'unknown'], [2, 2]]]);
  expect(seen.given).toEqual([]);
});

it('looks for sessions without an owner at once when the lease was lost: its own are among them', async () => {
  const { owned, seen } = own();
  expect(await owned.renew()).toBe(0);
  expect(seen.forgotten).toEqual([]);
});

it('lets go of all sessions with the lease', () => {
  const { owned, seen, lease } = own({ one: LIVE, two: LIVE });
  for (const id of ['one', 'gone meanwhile', 'two']) owned.add(id, 1);
  lease.onLost();
  expect(seen.given).toEqual(['one', 'two']);
  expect(seen.warnings).toEqual(['the lease of this node was lost, and its sessions with it']);
});
