import { expect, it } from 'vitest';
import type { Database } from '../../db/index.ts';
import { NodeLease } from './node-lease.ts';

/** A database that gives leases, unless it is away. */
function createLease() {
  const place = { isAway: false, epoch: 0, leases: 0, claims: [] as unknown[], isLost: false };
  const database = {
    engine: 'postgres',
    isDurable: true,
    async query(text: string, [, epoch]: readonly unknown[]) {
      if (place.isAway) throw new Error('the database is away');
      if (text.includes('INSERT INTO node_leases')) {
        place.epoch += 1;
        place.leases += 1;
        place.isLost = false;
        return [{ epoch: place.epoch }];
      }
      if (text.includes('DELETE FROM node_leases')) {
        place.leases -= 1;
        return [];
      }
      if (text.includes('UPDATE sessions')) return [];
      if (text.includes('has_lease')) {
        place.claims.push(epoch);
        return [{ id: 'session', ended_at: null, owner: 'other', has_lease: !place.isLost }];
      }
      return [{ is_renewed: !place.isLost, next_expiry: null, session_id: null, session_epoch: null }];
    },
    tx: (run) => run(database),
    ping: async () => {},
    close: async () => {},
  } as Database;
  const losses: number[] = [];
  const lease = new NodeLease({ database, node: 'node' });
  lease.onLost = () => losses.push(place.epoch);
  return { lease, place, losses };
}

it('acquires the lease once, and with the next call after a database outage', async () => {
  const { lease, place } = createLease();
  place.isAway = true;
  await expect(lease.key()).rejects.toThrow('away');
  place.isAway = false;
  const keys = await Promise.all([lease.key(), lease.key()]);
  expect(keys).toEqual([
    { node: 'node', epoch: 1 },
    { node: 'node', epoch: 1 },
  ]);
});

it('replaces a lost lease after notifying its owner', async () => {
  const { lease, place, losses } = createLease();
  await lease.key();
  expect((await lease.renew()).status).toBe('renewed');
  expect(losses).toEqual([]);
  place.isLost = true;
  expect((await lease.renew()).status).toBe('lost');
  expect(losses).toEqual([1]);
  expect(await lease.key()).toEqual({ node: 'node', epoch: 2 });
});

it('releases the lease, and does not acquire it again', async () => {
  const { lease, place } = createLease();
  await lease.key();
  await lease.release();
  expect(place.leases).toBe(0);
  await expect(lease.key()).rejects.toThrow('released its lease');
});

it('acquires a new lease when a claim finds it lost, and repeats the claim once', async () => {
  const { lease, place, losses } = createLease();
  await lease.key();
  expect(await lease.claim('session', null)).toEqual({ status: 'owned', node: 'other' });
  expect(losses).toEqual([]);
  place.isLost = true;
  expect(await lease.claim('session', null)).toEqual({ status: 'owned', node: 'other' });
  expect(losses).toEqual([1]);
  // Under the first lease, under it after it was lost, and under the second.
  expect(place.claims).toEqual([1, 1, 2]);
});
