import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { createNodes, NODES_DATABASE_URL, type TestNodes } from '../../../test/realtime/nodes.ts';
import { isEndOfMessage } from '../../../test/realtime/test-platform.ts';
import type { Frame } from '../../../test/realtime/test-socket.ts';

const CHILD = fileURLToPath(new URL('../../../test/realtime/echo-child.ts', import.meta.url));
const SHIFT_CLOCK = new URL('../../../test/realtime/shift-clock.ts', import.meta.url).href;
const MINUTE_MS = 60_000;

const saying = (text: string) => (frame: Frame) => frame.payload['text'] === text;

describe.skipIf(NODES_DATABASE_URL === '')('nodes whose clocks are apart', () => {
  let nodes: TestNodes;
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await nodes.close();
  });

  async function startNode(clockAheadMs: number): Promise<{ child: ChildProcess; port: number }> {
    const place = { databaseUrl: nodes.databaseUrl };
    const child = fork(CHILD, [JSON.stringify(place)], {
      execArgv: ['--conditions=@natter/source', '--import', SHIFT_CLOCK],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, SHIFT_CLOCK_BY_MS: String(clockAheadMs) },
    });
    children.push(child);
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    return { child, port };
  }

  it('runs and ends one conversation on nodes whose clocks differ by ten minutes each way', async () => {
    nodes = await createNodes();
    // Sequentially, because the first node creates the tables.
    const ahead = await startNode(10 * MINUTE_MS);
    const behind = await startNode(-10 * MINUTE_MS);
    const session = await nodes.startSession(behind.port);
    const there = await nodes.connect(behind.port, session);
    there.send('REQUEST_AGENT_JOIN');
    await there.next(isEndOfMessage);
    // By this node's own clock every session has been idle too long to be joined.
    const here = await nodes.connect(ahead.port, session);
    here.send('USER_MESSAGE', { text: 'one' });
    for (const socket of [here, there]) await socket.next(saying('You said: one'));
    const [stored] = await nodes.run(
      `SELECT max(abs(created_at - extract(epoch FROM clock_timestamp()) * 1000)) AS apart_ms FROM events`,
    );
    expect(Number(stored?.['apart_ms'])).toBeLessThan(MINUTE_MS);
    // Only the node with the fast clock is left. A session that is idle by the database's clock ends; ours continues.
    behind.child.kill('SIGKILL');
    const idle = await nodes.startSession(ahead.port);
    await nodes.run(
      `UPDATE sessions SET last_activity = last_activity - ${11 * MINUTE_MS} WHERE id = '${idle.sessionId}'`,
    );
    const stateOf = async (id: string): Promise<unknown> =>
      (await nodes.run(`SELECT state FROM sessions WHERE id = '${id}'`))[0]?.['state'];
    await expect.poll(() => stateOf(idle.sessionId)).toBe('expired');
    expect(await stateOf(session.sessionId)).not.toBe('expired');
    here.send('USER_MESSAGE', { text: 'two' });
    await here.next(saying('You said: two'));
  });
});
