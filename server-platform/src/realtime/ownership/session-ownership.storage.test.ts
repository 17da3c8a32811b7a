import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeServer, describeStorage } from '../../../test/db/describe-storage.ts';
import type { TestDatabase } from '../../../test/db/engines.ts';
import {
  addTestConnector,
  addTestSession,
  claimSession,
  claimTestSession,
  expireLease,
  testEvent,
  testLease,
  testMessage,
} from '../../../test/db/fixtures.ts';
import { DATABASE_NOW } from '../../db/database-clock.ts';
import { createEventLog, type EventLog } from '../event-log/event-log.ts';
import {
  acquireNodeLease,
  forgetLostSessions,
  releaseNodeLease,
  removeExpiredNodes,
  renewNodeLease,
} from './node-leases.ts';
import { claimSessions, loadSessionStatus, releaseSessions } from './session-ownership.ts';

describeStorage('the owner of a session', ({ open }) => {
  let place: TestDatabase;
  let log: EventLog;
  let connectorId: string;
  const newSession = (): Promise<string> => addTestSession(place.database, connectorId);
  /** Returns a new node name. */
  const newNode = (): string => `node-${randomUUID()}`;
  const claim = (id: string, node: string) => claimTestSession(place.database, id, node);
  const tryToClaim = async (id: string, node: string) =>
    await claimSession(place.database, id, await testLease(place.database, node));
  const append = async (sessionId: string, epoch: number): Promise<string> =>
    (await log.append({ sessionId, epoch, events: [testEvent()] })).status;

  beforeAll(async () => {
    place = await open();
    log = createEventLog(place.database);
    connectorId = await addTestConnector(place.database);
  });
  afterAll(() => place.close());

  it('gives a session one owner at a time, with a new epoch each time', async () => {
    const [id, one, two] = [await newSession(), newNode(), newNode()];
    expect((await claim(id, one)).ownerEpoch).toBe(1);
    expect(await tryToClaim(id, two)).toEqual({ status: 'owned', node: one });
    expect((await claim(id, one)).ownerEpoch).toBe(2);
    expect(await tryToClaim(randomUUID(), one)).toEqual({ status: 'missing' });
  });

  it('reports no loss for a claim of an owned session, or without a listener', async () => {
    const [id, one, two] = [await newSession(), newNode(), newNode()];
    await claim(id, one);
    await claim(id, one);
    const lease = await testLease(place.database, one);
    expect(await renewNodeLease(place.database, lease)).toMatchObject({ status: 'renewed', lost: [] });
    const old = { ...lease, epoch: lease.epoch - 1 };
    await releaseNodeLease(place.database, old);
    await releaseNodeLease(place.database, { ...lease, node: two });
    expect(await tryToClaim(id, two)).toEqual({ status: 'owned', node: one });
    await releaseNodeLease(place.database, lease);
    await claim(id, two);
    const left = await place.database.query('SELECT epoch FROM lost_sessions WHERE node = $1', [one]);
    expect(left).toEqual([]);
  });

  it('gives a session to one of many concurrent claimants, also when taken from a dead node', async () => {
    const [id, dead] = [await newSession(), newNode()];
    await claim(id, dead);
    await expireLease(place.database, dead);
    const nodes = Array.from({ length: 8 }, newNode);
    for (const node of nodes) await testLease(place.database, node);
    const claims = await Promise.all(nodes.map((node) => tryToClaim(id, node)));
    expect(claims.filter(({ status }) => status === 'claimed')).toHaveLength(1);
    expect((await claim(id, nodes.find((_, n) => claims[n]?.status === 'claimed') ?? '')).ownerEpoch).toBe(3);
  });

  it('claims many sessions with one statement and individual results', async () => {
    const [one, two] = [newNode(), newNode()];
    const ids = [await newSession(), await newSession(), await newSession()];
    await claim(ids[1] ?? '', two);
    const requests = [...ids, randomUUID()].map((sessionId) => ({ sessionId }));
    const lease = await testLease(place.database, one);
    expect(await claimSessions(place.database, lease, requests)).toMatchObject([
      { status: 'claimed', session: { id: ids[0], ownerEpoch: 1 } },
      { status: 'owned', node: two },
      { status: 'claimed', session: { id: ids[2], ownerEpoch: 1 } },
      { status: 'missing' },
    ]);
  });

  it("keeps a session's owner exactly until its lease expires", async () => {
    const [id, one, two, three] = [await newSession(), newNode(), newNode(), newNode()];
    await claim(id, one);
    await expireLease(place.database, one);
    expect(await claim(id, two)).toMatchObject({ ownerNode: two, ownerEpoch: 2 });
    expect(await tryToClaim(id, three)).toEqual({ status: 'owned', node: two });
  });

  it('keeps untaken sessions when a lease is renewed late, reports taken ones, and writes no more to those', async () => {
    const [kept, taken, one, two] = [await newSession(), await newSession(), newNode(), newNode()];
    for (const id of [kept, taken]) await claim(id, one);
    // Simulates a node that was stopped for longer than its lease.
    await expireLease(place.database, one);
    const theirs = await claim(taken, two);
    expect(await append(taken, 1)).toBe('stale_owner');
    const lease = await testLease(place.database, one);
    const lost = [{ sessionId: taken, epoch: theirs.ownerEpoch }];
    const renewed = { status: 'renewed', lost };
    expect(await renewNodeLease(place.database, lease)).toMatchObject(renewed);
    // Reported until the node has confirmed it.
    expect(await renewNodeLease(place.database, lease)).toMatchObject(renewed);
    await forgetLostSessions(place.database, one, lost);
    expect(await renewNodeLease(place.database, lease)).toMatchObject({ status: 'renewed', lost: [] });
    expect(await tryToClaim(kept, two)).toEqual({ status: 'owned', node: one });
    expect(await append(kept, 1)).toBe('appended');
    expect(await append(taken, 1)).toBe('stale_owner');
    expect(await append(taken, 2)).toBe('appended');
  });

  it('forgets only the losses that were acted on', async () => {
    const [one, two, id, other] = [newNode(), newNode(), await newSession(), await newSession()];
    const lost = [
      { node: one, id, epoch: 2 },
      { node: one, id, epoch: 4 },
      { node: one, id: other, epoch: 2 },
      { node: two, id, epoch: 2 },
    ];
    for (const { node, id: sessionId, epoch } of lost) {
      await place.database.query('INSERT INTO lost_sessions (node, session_id, epoch) VALUES ($1, $2, $3)', [
        node,
        sessionId,
        epoch,
      ]);
    }
    await forgetLostSessions(place.database, one, [{ sessionId: id, epoch: 2 }]);
    const left = await place.database.query(
      'SELECT node, session_id AS id, epoch FROM lost_sessions WHERE node = ANY($1::text[])',
      [[one, two]],
    );
    expect(left).toHaveLength(3);
    expect(left).toEqual(expect.arrayContaining(lost.slice(1)));
  });

  it('claims nothing under an expired or replaced lease', async () => {
    const [id, one, two] = [await newSession(), newNode(), newNode()];
    const old = await testLease(place.database, one);
    await expireLease(place.database, one);
    expect(await claimSession(place.database, id, old)).toEqual({ status: 'no_lease' });
    await renewNodeLease(place.database, old);
    expect((await claimSession(place.database, id, old)).status).toBe('claimed');
    const young = await acquireNodeLease(place.database, one);
    expect(young.epoch).toBeGreaterThan(old.epoch);
    expect(await claimSession(place.database, id, old)).toEqual({ status: 'no_lease' });
    expect(await renewNodeLease(place.database, old)).toEqual({ status: 'lost' });
    // Sessions under the old lease are free for any node, so this node can take them at once.
    const [sight] = await loadSessionStatus(place.database, [id]);
    expect(sight?.owner).toBeNull();
    expect(await claim(id, two)).toMatchObject({ ownerEpoch: 2 });
  });

  it('finds its sessions at once after a crash if its name stays the same', async () => {
    const [id, node] = [await newSession(), newNode()];
    await claim(id, node);
    const next = await acquireNodeLease(place.database, node);
    const claimed = await claimSession(place.database, id, next);
    expect(claimed).toMatchObject({ status: 'claimed', session: { ownerNode: node, ownerEpoch: 2 } });
    expect(await append(id, 1)).toBe('stale_owner');
  });

  it('releases all sessions by removing one row', async () => {
    const [ids, one, two] = [[await newSession(), await newSession()], newNode(), newNode()];
    for (const id of ids) await claim(id, one);
    await releaseNodeLease(place.database, await testLease(place.database, one));
    const sights = await loadSessionStatus(place.database, ids);
    expect(sights.map(({ owner }) => owner)).toEqual([null, null]);
    for (const id of ids) expect((await claim(id, two)).ownerEpoch).toBe(2);
  });

  it('releases single sessions, but not those that have another owner', async () => {
    const [mine, theirs, one, two, three] = [
      await newSession(),
      await newSession(),
      newNode(),
      newNode(),
      newNode(),
    ];
    for (const id of [mine, theirs]) await claim(id, one);
    await expireLease(place.database, one);
    await claim(theirs, two);
    await renewNodeLease(place.database, await testLease(place.database, one));
    await releaseSessions(place.database, one, new Map([mine, theirs].map((id) => [id, 1])));
    expect((await tryToClaim(mine, three)).status).toBe('claimed');
    expect(await tryToClaim(theirs, three)).toEqual({ status: 'owned', node: two });
  });

  it('lets a session without an open turn be taken from an unreachable node', async () => {
    const [id, one, two] = [await newSession(), newNode(), newNode()];
    const { ownerEpoch: epoch } = await claim(id, one);
    const turn = randomUUID();
    await log.append({
      sessionId: id,
      epoch,
      events: [testMessage('draft')],
      effects: { queueTurn: { id: turn } },
    });
    const lease = await testLease(place.database, two);
    const take = () => claimSession(place.database, id, lease, { from: one, isIdleOnly: true });
    expect(await take()).toEqual({ status: 'owned', node: one });
    const done = { endTurn: { id: turn } };
    await log.append({ sessionId: id, epoch, events: [], effects: done });
    expect(await take()).toMatchObject({ status: 'claimed', session: { ownerNode: two } });
    expect(await append(id, epoch)).toBe('stale_owner');
    // Other nodes cannot take it.
    const third = await testLease(place.database, newNode());
    const wrong = { from: one, isIdleOnly: false };
    expect(await claimSession(place.database, id, third, wrong)).toEqual({ status: 'owned', node: two });
  });

  it("removes a dead node's row after a while, with the messages left for it", async () => {
    const [id, dead, alive] = [await newSession(), newNode(), newNode()];
    await claim(id, dead);
    const lease = await testLease(place.database, alive);
    await expireLease(place.database, dead);
    const renewal = await renewNodeLease(place.database, lease);
    expect(renewal.status === 'renewed' && (renewal.nextExpiryMs ?? 1) <= 0).toBe(true);
    await claim(id, alive);
    await removeExpiredNodes(place.database);
    const nodes = await place.database.query<{ node: string }>('SELECT node FROM node_leases');
    expect(nodes.map(({ node }) => node)).toContain(alive);
    expect(nodes.map(({ node }) => node)).not.toContain(dead);
    const left = await place.database.query('SELECT node FROM lost_sessions WHERE node = $1', [dead]);
    expect(left).toEqual([]);
    expect(await append(id, 2)).toBe('appended');
  });

  it("keeps an expired lease's row for a minute, during which it can be renewed", async () => {
    const [late, dead] = [newNode(), newNode()];
    for (const [node, agoMs] of [
      [late, 50_000],
      [dead, 61_000],
    ] as const) {
      await testLease(place.database, node);
      await place.database.query(
        `UPDATE node_leases SET expires_at = ${DATABASE_NOW} - $2::bigint WHERE node = $1`,
        [node, agoMs],
      );
    }
    const leases = [await testLease(place.database, late), await testLease(place.database, dead)];
    await removeExpiredNodes(place.database);
    const renewals = await Promise.all(leases.map((lease) => renewNodeLease(place.database, lease)));
    expect(renewals.map(({ status }) => status)).toEqual(['renewed', 'lost']);
  });

  it('reports when the first lease of another node expires, but not its own', async () => {
    await place.database.query('DELETE FROM node_leases');
    const mine = await acquireNodeLease(place.database, newNode(), 1_000);
    expect(await renewNodeLease(place.database, mine, 1_000)).toMatchObject({ nextExpiryMs: null });
    await acquireNodeLease(place.database, newNode(), 3_600_000);
    const renewal = await renewNodeLease(place.database, mine, 1_000);
    expect(renewal.status === 'renewed' && renewal.nextExpiryMs).toBeGreaterThan(3_000_000);
  });
});

// The embedded database runs one transaction at a time.
describeServer('two nodes at one session on PostgreSQL', ({ open }) => {
  let place: TestDatabase;
  let connectorId: string;
  beforeAll(async () => {
    place = await open();
    connectorId = await addTestConnector(place.database);
  });
  afterAll(() => place.close());

  /** Resolves when a statement of this database waits for a row lock of another transaction. */
  async function isWaiting(): Promise<void> {
    const waiting = `SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE NOT granted AND query LIKE '%sessions%' AND application_name LIKE 'natter-platform %'`;
    await expect.poll(() => place.database.query(waiting)).not.toHaveLength(0);
  }

  it('finds the first claimant as the owner when two claim concurrently', async () => {
    const id = await addTestSession(place.database, connectorId);
    const [first, second] = [
      await testLease(place.database, 'first'),
      await testLease(place.database, 'second'),
    ];
    let later: Promise<unknown> = Promise.resolve();
    await place.database.tx(async (sql) => {
      expect(await claimSessions(sql, first, [{ sessionId: id }])).toMatchObject([{ status: 'claimed' }]);
      later = claimSession(place.database, id, second);
      await isWaiting();
    });
    expect(await later).toEqual({ status: 'owned', node: 'first' });
  });

  it('avoids deadlocks: locks all sessions to release first, in the order of their ids', async () => {
    const lease = await testLease(place.database, 'giver');
    // The rows are stored in the opposite order.
    let [high, low] = ['', ''];
    while (high <= low)
      [high, low] = [
        await addTestSession(place.database, connectorId),
        await addTestSession(place.database, connectorId),
      ];
    for (const id of [high, low]) await claimSession(place.database, id, lease);
    let given: Promise<void> = Promise.resolve();
    await place.database.tx(async (sql) => {
      await sql.query('SELECT 1 FROM sessions WHERE id = $1 FOR UPDATE', [low]);
      // The lower one has another owner by now, and is locked all the same.
      given = releaseSessions(
        place.database,
        'giver',
        new Map([
          [high, 1],
          [low, 7],
        ]),
      );
      await isWaiting();
      await sql.query('SELECT 1 FROM sessions WHERE id = $1 FOR UPDATE NOWAIT', [high]);
    });
    await given;
    const sights = await loadSessionStatus(place.database, [high, low]);
    expect(new Map(sights.map(({ id, owner }) => [id, owner]))).toEqual(
      new Map([
        [high, null],
        [low, 'giver'],
      ]),
    );
  });
});
