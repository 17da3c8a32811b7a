import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { claimSession, testLease } from '../../../test/db/fixtures.ts';
import { createDoor } from '../../../test/realtime/scripted-agent.ts';
import {
  isEndOfMessage,
  startTestPlatform,
  type TestPlatform,
} from '../../../test/realtime/test-platform.ts';
import { typesOf } from '../../../test/realtime/test-socket.ts';
import { type Bus, NO_PEERS, type Peers } from '../bus/index.ts';
import { PeerError } from '../bus/peers.ts';
import { releaseNodeLease } from '../ownership/index.ts';
import type { SessionManager } from './session-manager.ts';

const OTHER = 'other';

describe('a session that another node may have', () => {
  let platform: TestPlatform;
  let manager: SessionManager;
  let canReachOther: boolean;
  let asked: string[];
  let subscriptions: number;
  const peers: Peers = {
    ...NO_PEERS,
    isShared: true,
    isAlone: false,
    names: [OTHER],
    canReach: (node) => node === OTHER && canReachOther,
    call: async (node, ask) => {
      asked.push(ask);
      if (ask === 'sockets') return 0;
      throw new PeerError('unanswered', node);
    },
  };
  const counted = (stop: () => void): (() => void) => {
    subscriptions += 1;
    return () => {
      subscriptions -= 1;
      stop();
    };
  };
  const countSubscriptions = (bus: Bus): Bus => ({
    ...bus,
    subscribe: (sessionId, listener) => counted(bus.subscribe(sessionId, listener)),
    subscribeLocal: (sessionId, listener) => counted(bus.subscribeLocal(sessionId, listener)),
    follow: (sessionId) => counted(bus.follow(sessionId)),
  });
  beforeEach(async () => {
    canReachOther = true;
    asked = [];
    subscriptions = 0;
    platform = await startTestPlatform(EMBEDDED_ENGINE, {
      peers,
      wrapBus: countSubscriptions,
      limits: { inactivityMs: 86_400_000, pingIntervalMs: 86_400_000 },
    });
    ({ manager } = platform.messaging);
  });
  afterEach(() => platform.stop());

  /** Starts a conversation whose session another node then takes. */
  async function converseElsewhere() {
    const own = await platform.converse();
    return { ...own, live: await giveAway(own.sessionId) };
  }

  async function giveAway(sessionId: string) {
    const lease = await testLease(platform.database, OTHER);
    const claim = await claimSession(platform.database, sessionId, lease, {
      from: 'test',
      isIdleOnly: false,
    });
    expect(claim.status).toBe('claimed');
    const live = manager.get(sessionId);
    if (live === undefined) throw new Error('no such session on this node');
    live.loseOwnership();
    return live;
  }

  it('reads activity on the other node from the database: periodically, at a handshake, and with a claim', async () => {
    const { sessionId, live } = await converseElsewhere();
    const hear = async (): Promise<number> => {
      const atMs = Math.max(platform.clock.now(), live.lastActivityMs) + 60_000;
      await platform.database.query('UPDATE sessions SET last_activity = $2 WHERE id = $1', [
        sessionId,
        atMs,
      ]);
      return atMs;
    };
    const seenMs = await hear();
    platform.clock.skip(5_000);
    await expect.poll(() => live.lastActivityMs).toBe(seenMs);
    const joinedMs = await hear();
    await manager.join(sessionId, platform.connector);
    expect(live.lastActivityMs).toBe(joinedMs);
    const claimedMs = await hear();
    await releaseNodeLease(platform.database, await testLease(platform.database, OTHER));
    await live.recover();
    expect(live.lastActivityMs).toBe(claimedMs);
  });

  it('adopts the vocabulary that a client used on the other node (V-5 c)', async () => {
    const { sessionId, accessToken } = await converseElsewhere();
    await platform.database.query("UPDATE sessions SET vocabulary = 'poly' WHERE id = $1", [sessionId]);
    const socket = await platform.connect({ sessionId, accessToken });
    await socket.next('POLY_AGENT_JOINED');
  });

  it('leaves the survey to the owner node', async () => {
    Object.assign(platform.connector, { hasSurvey: true });
    const { socket, sessionId } = await platform.converse();
    socket.send('USER_MESSAGE', { text: 'hi' });
    await socket.next(isEndOfMessage);
    socket.send('USER_END_SESSION');
    await socket.next('SHOW_CSAT_REQUEST');
    const live = await giveAway(sessionId);
    platform.clock.skip(60_000);
    // Runs after the commands dispatched before it.
    await expect(live.recover()).rejects.toMatchObject({ owner: OTHER });
    expect(platform.failures).toEqual([]);
    expect(socket.ws.readyState).toBe(socket.ws.OPEN);
  });

  it('does not take over a session for a typing event while its owner is unreachable', async () => {
    const { socket, live } = await converseElsewhere();
    await expect(live.recover()).rejects.toMatchObject({ owner: OTHER });
    socket.send('USER_TYPING', { state: 'TYPING_STATE_STARTED' });
    await expect.poll(() => asked).toContain('input');
    canReachOther = false;
    asked = [];
    socket.send('USER_TYPING', { state: 'TYPING_STATE_STARTED' });
    socket.send('HEARTBEAT');
    await socket.next('HEARTBEAT');
    // Runs after the commands dispatched before it.
    await live.recover({ isPatient: false }).catch(() => {});
    expect(asked).toEqual([]);
  });

  it('unsubscribes a released session, and does not claim it for late events', async () => {
    const { socket, sessionId } = await platform.converse();
    const live = manager.get(sessionId);
    expect(subscriptions).toBeGreaterThan(0);
    await socket.close();
    await letGo();
    expect(subscriptions).toBe(0);
    await live?.readExternalEvents();
    await live?.recover();
    platform.clock.skip(86_400_000);
    await live?.expireIfIdle();
    expect(live?.isOwned).toBe(false);
  });

  it('keeps a session loaded while a turn runs, even without a socket', async () => {
    const { socket, sessionId } = await platform.converse({ streaming_enabled: false });
    const begun = createDoor();
    const door = createDoor();
    platform.agent.script = async function* () {
      begun.open();
      await door.opened;
      yield { type: 'text', text: 'A long thought.' };
    };
    socket.send('USER_MESSAGE', { text: 'think' });
    await begun.opened;
    await socket.close();
    for (let n = 0; n < 20; n += 1) {
      platform.clock.skip(1_000);
      await fetch(`${platform.url}/healthz`);
    }
    expect(manager.sessionCount).toBe(1);
    door.open();
    await expect
      .poll(async () => {
        const log = await platform.log.readAfter(sessionId, 0, 100);
        return log.at(-1)?.payload['text'];
      })
      .toBe('A long thought.');
    expect(platform.agent.turns).toHaveLength(2);
  });

  it("warns of idleness once, based on this node's latest activity", async () => {
    Object.assign(platform.connector, { hasIdleWarning: true });
    const { socket, ...session } = await platform.converse();
    await socket.close();
    await letGo();
    const back = await platform.connect(session);
    const dayMs = 86_400_000;
    platform.clock.skip(dayMs / 2);
    back.send('HEARTBEAT');
    await back.next('HEARTBEAT');
    platform.clock.skip(dayMs / 2 - 30_000);
    back.send('HEARTBEAT');
    await back.next('HEARTBEAT');
    expect(typesOf(back.events)).not.toContain('SESSION_IDLE_WARNING');
  });

  /** Waits until this node has released the sessions without connections. */
  async function letGo(): Promise<void> {
    await expect
      .poll(() => {
        platform.clock.skip(1_000);
        return manager.sessionCount;
      })
      .toBe(0);
  }
});
