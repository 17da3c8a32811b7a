import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MANAGE_COMMANDS } from '../../accounts/manage.ts';
import { openDatabase } from '../../db/index.ts';
import { EMBEDDED_ENGINE } from '../../db/testing/engines.ts';
import type { Platform } from '../../start-platform.ts';
import { CRASH_CONNECTOR_TOKEN } from '../testing/crash-options.ts';
import { createNodes, NODES_DATABASE_URL, type TestNodes } from '../testing/nodes.ts';
import { clientFrame, openRawPeer, upgradeRequest } from '../testing/raw-peer.ts';
import { createSkippingClock } from '../testing/skipping-clock.ts';
import { startTestPlatform, type TestSession } from '../testing/test-platform.ts';
import { RevocationWatch } from './revocation-watch.ts';

describe.runIf(NODES_DATABASE_URL !== '')('a connector that is revoked, on two nodes (4.5, TOK-6)', () => {
  let nodes: TestNodes;
  let one: Platform;
  let two: Platform;
  beforeAll(async () => {
    nodes = await createNodes();
    one = await nodes.start();
    two = await nodes.start();
  });
  afterEach(async () => {
    await nodes.run(
      `UPDATE connectors SET revoked_at = NULL, hosts = '[{"kind":"domain","value":"localhost"}]'::jsonb`,
    );
  });
  afterAll(() => nodes.close());

  const post = async (
    node: Platform,
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly text: unknown }> => {
    const answer = await fetch(`${node.url}/api/v1${path}`, {
      method: 'POST',
      headers,
      body: '{"token":"x"}',
    });
    return { status: answer.status, text: JSON.parse(await answer.text()).message };
  };

  async function expectRefusedEverywhere({ sessionId, accessToken }: TestSession): Promise<void> {
    const bearer = { Authorization: `Bearer ${accessToken}` };
    for (const node of [one, two]) {
      await expect(nodes.connect(node, { sessionId, accessToken })).rejects.toThrow('401');
      expect(await post(node, '/sessions', bearer)).toEqual({ status: 401, text: 'Invalid access token' });
      expect(await post(node, `/sessions/${sessionId}/context`, bearer)).toEqual({
        status: 401,
        text: 'Invalid access token',
      });
    }
  }

  async function revokeByCommand(): Promise<void> {
    const database = await openDatabase({ databaseUrl: nodes.databaseUrl });
    const options = { domains: [], apps: [], permissions: [], isLegacy: false };
    await MANAGE_COMMANDS['connector revoke']?.run(database, ['crash', 'crash', 'web'], options);
    await database.close();
  }

  async function expectClosedBy(change: () => Promise<unknown>): Promise<void> {
    const session = await nodes.startSession(one);
    const sockets = [await nodes.connect(one, session), await nodes.connect(two, session)];
    const codes: number[] = [];
    for (const { closed } of sockets) void closed.then(({ code }) => codes.push(code));
    await change();
    for (const socket of sockets) {
      const { payload } = await socket.next('SYSTEM_MESSAGE');
      expect(payload).toEqual({ level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: 'Error: Connector not found' });
    }
    await expect.poll(() => codes).toEqual([4001, 4001]);
    await expectRefusedEverywhere(session);
  }

  it('has its sockets closed with 4001 within two seconds, and its tokens refused', async () => {
    await expectClosedBy(revokeByCommand);
    for (const node of [one, two]) {
      const headers = { 'X-Token': CRASH_CONNECTOR_TOKEN, 'X-Host': 'localhost' };
      expect(await post(node, '/access-token', headers)).toMatchObject({ status: 401 });
    }
  });

  it('counts as revoked for a host that it lost', async () => {
    await expectClosedBy(() =>
      nodes.run(`UPDATE connectors SET hosts = '[{"kind":"domain","value":"example.com"}]'::jsonb`),
    );
  });

  it('keeps the sockets of hosts that are only written in another way', async () => {
    const session = await nodes.startSession(one);
    const socket = await nodes.connect(two, session);
    await socket.next('SESSION_START');
    await nodes.run(`UPDATE connectors SET hosts = '[{"kind":"domain","value":"https://localhost"}]'::jsonb`);
    const again = await nodes.connect(one, session);
    await again.next('SESSION_START');
    socket.send('HEARTBEAT');
    await socket.next('HEARTBEAT');
    await Promise.all([socket.close(), again.close()]);
  });
});

describe('a connector that is revoked', () => {
  it('is heard no more from a socket that does not answer the close', async () => {
    const platform = await startTestPlatform(EMBEDDED_ENGINE);
    try {
      const { socket, ...session } = await platform.converse();
      const peer = await openRawPeer(platform.messaging.port);
      const path = `/ws?session_id=${session.sessionId}&access_token=${session.accessToken}`;
      peer.socket.write(upgradeRequest(path));
      await peer.sees('SESSION_START');
      Object.assign(platform.connector, { isRevoked: true });
      platform.clock.skip(1_000);
      await peer.sees('connector revoked');
      expect(await socket.closed).toEqual({ code: 4001, reason: 'connector revoked' });
      const frame = { type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'still talking' } };
      peer.socket.write(clientFrame(JSON.stringify(frame)));
      await fetch(`${platform.url}/healthz`);
      await fetch(`${platform.url}/healthz`);
      const stored = await platform.log.readAfter(session.sessionId, 0, 100);
      expect(JSON.stringify(stored)).not.toContain('still talking');
      await peer.reset();
    } finally {
      await platform.stop();
    }
  });
});

describe('the watch for revoked connectors', () => {
  // Fake time moves only when the test advances it, so a slow machine changes nothing.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('reports the store once for each time that it is away, and reads nothing when it is stopped', async () => {
    const clock = createSkippingClock();
    const seen: string[] = [];
    let isAway = true;
    const watch = new RevocationWatch({
      clock,
      connectors: {
        async findById() {
          seen.push('read');
          if (isAway) throw new Error('the database is away');
          return null;
        },
      },
      sockets: () => [{ connectorId: 'c', host: 'example.com', onRevoked: () => seen.push('revoked') }],
      onFailure: () => seen.push('failed'),
    });
    const look = async (): Promise<readonly string[]> => {
      clock.skip(1_000);
      await new Promise((resolve) => setImmediate(resolve));
      return seen.splice(0);
    };
    watch.start();
    expect([await look(), await look()]).toEqual([['read', 'failed'], ['read']]);
    isAway = false;
    expect(await look()).toEqual(['read', 'revoked']);
    isAway = true;
    expect([await look(), await look()]).toEqual([['read', 'failed'], ['read']]);
    watch.stop();
    expect(await look()).toEqual([]);
  });
});
