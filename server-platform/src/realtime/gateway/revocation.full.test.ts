import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CRASH_CONNECTOR_TOKEN } from '../../../test/realtime/crash-options.ts';
import { createNodes, NODES_DATABASE_URL, type TestNodes } from '../../../test/realtime/nodes.ts';
import type { TestSession } from '../../../test/realtime/test-platform.ts';
import { MANAGE_COMMANDS } from '../../accounts/manage.ts';
import type { Platform } from '../../app/start-platform.ts';
import { openDatabase } from '../../db/index.ts';

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

  it("closes a revoked connector's sockets with 4001 within two seconds, and refuses its tokens", async () => {
    await expectClosedBy(revokeByCommand);
    for (const node of [one, two]) {
      const headers = { 'X-Token': CRASH_CONNECTOR_TOKEN, 'X-Host': 'localhost' };
      expect(await post(node, '/access-token', headers)).toMatchObject({ status: 401 });
    }
  });

  it('treats a connector as revoked for a host that it lost', async () => {
    await expectClosedBy(() =>
      nodes.run(`UPDATE connectors SET hosts = '[{"kind":"domain","value":"example.com"}]'::jsonb`),
    );
  });

  it('keeps sockets open when a host is only rewritten in another spelling', async () => {
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
