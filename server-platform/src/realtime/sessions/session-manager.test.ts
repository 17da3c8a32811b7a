import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { addTestConnector, addTestSession, claimSession, testLease } from '../../../test/db/fixtures.ts';
import { createDoor } from '../../../test/realtime/scripted-agent.ts';
import { startTestPlatform, type TestPlatform } from '../../../test/realtime/test-platform.ts';
import { typesOf } from '../../../test/realtime/test-socket.ts';
import { NO_PEERS, type Peers } from '../bus/index.ts';
import type { SessionManager } from './session-manager.ts';

const OTHER = 'other';

describe('the sessions of a node', () => {
  let platform: TestPlatform;
  let manager: SessionManager;
  /** The other node's response when asked for its socket count; null: this node is alone. */
  let countSockets: (() => Promise<unknown>) | null;
  const peers: Peers = {
    ...NO_PEERS,
    isShared: true,
    get isAlone() {
      return countSockets === null;
    },
    names: [OTHER],
    canReach: (node) => node === OTHER,
    call: async (_node, ask) => (ask === 'sockets' ? await countSockets?.() : 0),
  };
  beforeEach(async () => {
    countSockets = null;
    platform = await startTestPlatform(EMBEDDED_ENGINE, {
      peers,
      limits: { maxSocketsPerSession: 2, inactivityMs: 86_400_000, pingIntervalMs: 86_400_000 },
    });
    ({ manager } = platform.messaging);
  });
  afterEach(() => platform.stop());

  /** Returns the session's stored owner. */
  const ownerOf = async (sessionId: string): Promise<unknown> =>
    (
      await platform.database.query<{ owner: string | null }>(
        'SELECT owner_node AS owner FROM sessions WHERE id = $1',
        [sessionId],
      )
    )[0]?.owner;

  /** Makes another node the owner of the session. */
  async function giveAway(sessionId: string): Promise<void> {
    const lease = await testLease(platform.database, OTHER);
    const claim = await claimSession(platform.database, sessionId, lease, {
      from: 'test',
      isIdleOnly: false,
    });
    expect(claim.status).toBe('claimed');
  }

  it('loads a session once for concurrent handshakes', async () => {
    const { sessionId } = await platform.startSession();
    const [one, two] = await Promise.all([
      manager.join(sessionId, platform.connector),
      manager.join(sessionId, platform.connector),
    ]);
    expect(one?.session).toBeDefined();
    expect(two?.session).toBe(one?.session);
    expect(manager.sessionCount).toBe(1);
  });

  it('loads no unknown or expired session, and none whose connector was removed (WS-2)', async () => {
    const stray = await addTestSession(platform.database, await addTestConnector(platform.database));
    const { sessionId } = await platform.startSession();
    await platform.database.query("UPDATE sessions SET state = 'expired' WHERE id = $1", [sessionId]);
    for (const id of [randomUUID(), stray, sessionId])
      expect(await manager.join(id, platform.connector)).toBeNull();
    expect(manager.sessionCount).toBe(0);
  });

  it('reserves as many slots as the limit allows, and releases each once (WS-3)', async () => {
    const { sessionId } = await platform.startSession();
    expect(await manager.reserveSlot(sessionId)).toBeNull();
    await manager.join(sessionId, platform.connector);
    const first = await manager.reserveSlot(sessionId);
    expect(await manager.reserveSlot(sessionId)).not.toBeNull();
    expect(await manager.reserveSlot(sessionId)).toBeNull();
    first?.release();
    first?.release();
    expect(await manager.reserveSlot(sessionId)).not.toBeNull();
    expect(await manager.reserveSlot(sessionId)).toBeNull();
  });

  it('counts slots across nodes, and keeps no slot that was refused (WS-3)', async () => {
    const { sessionId } = await platform.startSession();
    await manager.join(sessionId, platform.connector);
    const failure = new Error('the bus is broken');
    countSockets = () => Promise.reject(failure);
    await expect(manager.reserveSlot(sessionId)).rejects.toBe(failure);
    countSockets = async () => 2;
    expect(await manager.reserveSlot(sessionId)).toBeNull();
    countSockets = async () => 1;
    expect(await manager.reserveSlot(sessionId)).not.toBeNull();
    expect(await manager.reserveSlot(sessionId)).toBeNull();
    countSockets = async () => 0;
    expect(await manager.reserveSlot(sessionId)).not.toBeNull();
  });

  it('releases sessions unused for 15 s, so that any node may acquire them', async () => {
    const { socket, sessionId } = await platform.converse();
    platform.clock.skip(60_000);
    socket.send('HEARTBEAT');
    await socket.next('HEARTBEAT');
    expect([manager.sessionCount, await ownerOf(sessionId)]).toEqual([1, 'test']);
    await socket.close();
    await expect
      .poll(async () => {
        platform.clock.skip(1_000);
        return [manager.sessionCount, await ownerOf(sessionId)];
      })
      .toEqual([0, null]);
  });

  it('keeps a session for a socket that was just admitted', async () => {
    const { socket, sessionId } = await platform.converse();
    await socket.close();
    await fetch(`${platform.url}/healthz`);
    platform.clock.skip(14_000);
    await manager.join(sessionId, platform.connector);
    for (let second = 0; second < 10; second += 1) {
      platform.clock.skip(1_000);
      await fetch(`${platform.url}/healthz`);
    }
    expect(await manager.reserveSlot(sessionId)).not.toBeNull();
  });

  it("expires this node's open sessions at the operator’s request, and no other node’s (HB-4)", async () => {
    const open = await platform.converse();
    const ended = await platform.converse();
    ended.socket.send('USER_END_SESSION');
    await ended.socket.next('SESSION_END');
    const elsewhere = await platform.converse();
    await giveAway(elsewhere.sessionId);
    manager.get(elsewhere.sessionId)?.loseOwnership();
    await manager
      .get(elsewhere.sessionId)
      ?.recover()
      .catch(() => {});
    expect(await manager.expireAll()).toBe(1);
    expect((await open.socket.next('SESSION_END')).payload).toEqual({ reason: 'REASON_USER_ABANDONED' });
    for (const { sessionId } of [ended, elsewhere]) {
      const log = await platform.log.readAfter(sessionId, 0, 100);
      expect(log.filter(({ payload }) => payload['reason'] === 'REASON_USER_ABANDONED')).toEqual([]);
    }
  });

  it('loads a session on demand if no other node owns it', async () => {
    const { sessionId } = await platform.startSession();
    expect(await manager.ensureLoaded(randomUUID())).toEqual({ status: 'here' });
    expect(await manager.ensureLoaded(sessionId)).toEqual({ status: 'here' });
    expect([manager.get(sessionId)?.isOwned, await ownerOf(sessionId)]).toEqual([true, 'test']);
    const { socket, sessionId: over } = await platform.converse();
    socket.send('USER_END_SESSION');
    await socket.closed;
    expect(await manager.ensureLoaded(over)).toEqual({ status: 'here' });

    const { sessionId: theirs } = await platform.converse();
    await giveAway(theirs);
    manager.get(theirs)?.loseOwnership();
    expect(await manager.ensureLoaded(theirs)).toEqual({ status: 'elsewhere', owner: OTHER });
    await manager.drain({ windowMs: 0, graceMs: 0, closeConnections: async () => {} });
    expect(await manager.ensureLoaded(sessionId)).toEqual({ status: 'elsewhere', owner: null });
  });

  it('reads and writes nothing for sessions that are over', async () => {
    const { socket, sessionId } = await platform.converse();
    const live = manager.get(sessionId);
    socket.send('USER_END_SESSION');
    await socket.closed;
    await live?.readExternalEvents();
    await live?.recover();
    await live?.expire();
    await live?.expireIfIdle();
    const log = await platform.log.readAfter(sessionId, 0, 100);
    expect(log.filter(({ type }) => type === 'EVENT_TYPE_SESSION_END')).toHaveLength(1);
    expect(platform.failures).toEqual([]);
    expect(typesOf(socket.events).at(-1)).toBe('SESSION_END');
  });
});

describe('a session that somebody joins before the node has looked after it', () => {
  let platform: TestPlatform;
  beforeEach(async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE, { sweepMs: 86_400_000 });
  });
  afterEach(() => platform.stop());

  it('expires an overdue session when a client joins it', async () => {
    const session = await platform.startSession();
    platform.clock.skip(600_000);
    await expect(platform.connect(session)).rejects.toThrow('404');
    const stateOf = async (): Promise<unknown> =>
      (await platform.database.query('SELECT state FROM sessions WHERE id = $1', [session.sessionId]))[0];
    await expect.poll(stateOf).toEqual({ state: 'expired' });
  });

  it('reports an overdue session that cannot expire', async () => {
    const { sessionId } = await platform.startSession();
    const { manager } = platform.messaging;
    const row = await manager.read(sessionId);
    const session = row && (await manager.load(row));
    if (!session) throw new Error('not loaded');
    // The session's own idle monitor would fail as well.
    session.idle.stop();
    vi.spyOn(session, 'expireIfIdle').mockRejectedValue(new Error('the database is away'));
    platform.clock.skip(600_000);
    expect(await manager.join(sessionId, platform.connector)).toBeNull();
    await expect.poll(() => platform.failures).toEqual(['expire a session: Error: the database is away']);
  });

  it('releases a session in the database too, or rejects when that fails', async () => {
    const { sessionId } = await platform.startSession();
    const { manager } = platform.messaging;
    await manager.ensureLoaded(sessionId);
    platform.clock.skip(15_000);
    const failure = new Error('the database is away');
    const query = vi.spyOn(platform.database, 'query').mockRejectedValue(failure);
    await expect(manager.unloadUnused()).rejects.toBe(failure);
    query.mockRestore();
    expect(manager.sessionCount).toBe(0);
  });

  it('continues with an interrupted answer when a client joins', async () => {
    const { socket, ...session } = await platform.converse({ streaming_enabled: false });
    const { script } = platform.agent;
    const begun = createDoor();
    platform.agent.script = async function* () {
      begun.open();
      await new Promise(() => {});
    };
    socket.send('USER_MESSAGE', { text: 'hi' });
    await begun.opened;
    platform.messaging.manager.get(session.sessionId)?.loseOwnership();
    platform.agent.script = script;
    const back = await platform.connect(session);
    await back.next(({ payload }) => payload['text'] === 'You said: hi');
  });
});
