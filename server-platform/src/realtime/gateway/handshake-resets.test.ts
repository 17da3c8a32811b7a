import { afterEach, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { clientFrame, openRawPeer, type RawPeer, upgradeRequest } from '../../../test/realtime/raw-peer.ts';
import { createDoor } from '../../../test/realtime/scripted-agent.ts';
import {
  startTestPlatform,
  type TestPlatform,
  type TestPlatformOptions,
  type TestSession,
} from '../../../test/realtime/test-platform.ts';
import type { TestSocket } from '../../../test/realtime/test-socket.ts';

// Twice a session's slots, so that a single leaked slot is found.
const RESETS = 20;

let platform: TestPlatform;
afterEach(() => platform.stop());

const pathOf = ({ sessionId, accessToken }: TestSession): string =>
  `/ws?session_id=${sessionId}&access_token=${accessToken}`;

function openPeers(count: number): Promise<readonly RawPeer[]> {
  return Promise.all(Array.from({ length: count }, () => openRawPeer(platform.messaging.port)));
}

/** Starts a platform that checks tokens only while the door is open, and counts the handshakes waiting at it. */
async function startWithDoor(options: TestPlatformOptions = {}) {
  const door = createDoor();
  const checks = { held: 0, isPaused: false };
  platform = await startTestPlatform(EMBEDDED_ENGINE, {
    ...options,
    wrapTokens: (tokens) => ({
      ...tokens,
      async verify(token) {
        if (checks.isPaused) {
          checks.held += 1;
          await door.opened;
        }
        return await tokens.verify(token);
      },
    }),
  });
  return { door, checks };
}

/** Resolves once the platform's event loop has processed everything that peers sent before. */
async function expectServing(): Promise<void> {
  expect((await fetch(`${platform.url}/healthz`)).status).toBe(200);
}

/** Checks that every slot of the session is free. Sequentially, because concurrent handshakes are limited. */
async function expectAllPlaces(session: TestSession): Promise<void> {
  await expect.poll(() => countFreePlaces(session)).toBe(10);
}

async function countFreePlaces(session: TestSession): Promise<number> {
  const open: TestSocket[] = [];
  try {
    while (open.length < 10) open.push(await platform.connect(session));
  } catch {
    // Refused, because all slots are in use.
  }
  await Promise.all(open.map((socket) => socket.close()));
  return open.length;
}

describe('a peer that resets its connection', () => {
  it('takes no slot when a peer resets before its request is complete', async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE);
    const session = await platform.startSession();
    for (const peer of await openPeers(RESETS)) {
      peer.socket.write(upgradeRequest(pathOf(session)).slice(0, -2));
      await peer.reset();
    }
    await expectServing();
    await expectAllPlaces(session);
  });

  it('survives a reset right after a refused handshake', async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE);
    for (const path of ['/ws', '/elsewhere', '/ws?session_id=a&access_token=b']) {
      for (let n = 0; n < 150; n += 1) {
        const peer = await openRawPeer(platform.messaging.port);
        peer.socket.write(upgradeRequest(path), () => peer.socket.resetAndDestroy());
        await peer.closed;
      }
    }
    await expectServing();
  });

  it('frees the slot after a reset right after an accepted handshake', async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE);
    const session = await platform.startSession();
    for (let n = 0; n < 5 * RESETS; n += 1) {
      const peer = await openRawPeer(platform.messaging.port);
      peer.socket.write(upgradeRequest(pathOf(session)), () => peer.socket.resetAndDestroy());
      await peer.closed;
    }
    await expectServing();
    await expectAllPlaces(session);
  });

  it("frees the slot after a reset during the handshake's check", async () => {
    const { door, checks } = await startWithDoor();
    const session = await platform.startSession();
    checks.isPaused = true;
    const peers = await openPeers(RESETS);
    for (const peer of peers) peer.socket.write(upgradeRequest(pathOf(session)));
    await expect.poll(() => checks.held).toBe(RESETS);
    await Promise.all(peers.map((peer) => peer.reset()));
    await expectServing();
    door.open();
    checks.isPaused = false;
    await expectServing();
    await expectAllPlaces(session);
    expect(platform.failures).toEqual([]);
  });

  it('frees the queue place after a reset while the handshake waits', async () => {
    const { door, checks } = await startWithDoor({
      limits: { handshakesAtOnce: 1, maxWaitingHandshakes: 5 },
    });
    const session = await platform.startSession();
    checks.isPaused = true;
    const [first, ...waiting] = await openPeers(6);
    first?.socket.write(upgradeRequest(pathOf(session)));
    await expect.poll(() => checks.held).toBe(1);
    for (const peer of waiting) peer.socket.write(upgradeRequest(pathOf(session)));
    await expect.poll(async () => (await platform.handshake(pathOf(session))).status).toBe(503);
    await Promise.all(waiting.map((peer) => peer.reset()));
    await expectServing();
    const connecting = platform.connect(session);
    await expectServing();
    door.open();
    await (await connecting).close();
    await first?.reset();
    await expectAllPlaces(session);
  });

  it('frees the slot after a reset during or after the response', async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE);
    const session = await platform.startSession();
    for (const sign of ['HTTP/1.1 101', 'SESSION_START']) {
      const peers = await openPeers(10);
      for (const peer of peers) peer.socket.write(upgradeRequest(pathOf(session)));
      await Promise.all(
        peers.map(async (peer) => {
          await peer.sees(sign);
          await peer.reset();
        }),
      );
      await expectAllPlaces(session);
    }
  });

  it('frees the slot after a reset in the middle of a frame', async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE);
    const session = await platform.startSession();
    const half = clientFrame('{"type":"EVENT_TYPE_HEARTBEAT"}').subarray(0, 10);
    const peers = await openPeers(10);
    for (const peer of peers)
      peer.socket.write(Buffer.concat([Buffer.from(upgradeRequest(pathOf(session))), half]));
    await Promise.all(
      peers.map(async (peer) => {
        await peer.sees('SESSION_START');
        await peer.reset();
      }),
    );
    await expectAllPlaces(session);
  });
});

describe('a peer that ends its side of the connection while its handshake is checked', () => {
  it("frees the slot when the peer half-closes during the handshake's check", async () => {
    const { door, checks } = await startWithDoor();
    const session = await platform.startSession();
    checks.isPaused = true;
    const peers = await openPeers(RESETS);
    for (const peer of peers) peer.socket.end(upgradeRequest(pathOf(session)));
    await expect.poll(() => checks.held).toBe(RESETS);
    door.open();
    checks.isPaused = false;
    await Promise.all(peers.map(({ closed }) => closed));
    await expectAllPlaces(session);
  });
});

describe('frames that follow the handshake without waiting for its answer', () => {
  it('handles frames sent right after the handshake request once the replay is complete', async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE);
    const session = await platform.startSession();
    const [peer] = await openPeers(1);
    const frame = clientFrame('{"type":"EVENT_TYPE_HEARTBEAT","metadata":{"custom":{"n":"early"}}}');
    peer?.socket.write(Buffer.concat([Buffer.from(upgradeRequest(pathOf(session))), frame]));
    await peer?.sees('"n":"early"');
    expect(peer?.received.indexOf('SESSION_START')).toBeLessThan(peer?.received.indexOf('"n":"early"') ?? 0);
    await peer?.reset();
  });
});

it('answers a handshake whose check fails with 500, and reports it', async () => {
  platform = await startTestPlatform(EMBEDDED_ENGINE, {
    wrapTokens: (tokens) => ({ ...tokens, verify: () => Promise.reject(new Error('no key')) }),
  });
  const peer = await openRawPeer(platform.messaging.port);
  peer.socket.write(upgradeRequest('/ws?session_id=a&access_token=b'));
  await peer.sees('HTTP/1.1 500');
  await peer.closed;
  expect(platform.failures).toEqual([expect.stringContaining('handle a handshake')]);
});
