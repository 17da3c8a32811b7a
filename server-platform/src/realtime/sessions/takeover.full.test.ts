import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  countOpenTurns,
  insertInterruptedSessions,
  letLeaseRunOut,
} from '../../../test/realtime/interrupted-sessions.ts';
import { createNodes, NODES_DATABASE_URL, type TestNodes } from '../../../test/realtime/nodes.ts';
import { isEndOfMessage } from '../../../test/realtime/test-platform.ts';
import type { Frame } from '../../../test/realtime/test-socket.ts';

const CHILD = fileURLToPath(new URL('../../../test/realtime/crash-child.ts', import.meta.url));
const ABANDONED = 1_000;

const saying = (text: string) => (frame: Frame) => frame.payload['text'] === text;

describe.skipIf(NODES_DATABASE_URL === '')('sessions change their owner', () => {
  let nodes: TestNodes;
  let child: ChildProcess | undefined;
  beforeEach(async () => {
    nodes = await createNodes();
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await nodes.close();
  });

  const readLog = () =>
    nodes.run(`SELECT sequence, type, payload ->> 'text' AS text FROM events ORDER BY sequence`);

  it('takes over sessions of a node that sleeps beyond its lease; it writes nothing when it resumes', async () => {
    child = fork(CHILD, [JSON.stringify({ databaseUrl: nodes.databaseUrl })], {
      execArgv: ['--conditions=@natter/source'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    const survivor = await nodes.start();
    const session = await nodes.startSession(port);
    const sleeping = await nodes.connect(port, session);
    sleeping.send('REQUEST_AGENT_JOIN');
    await sleeping.next(isEndOfMessage);
    const awake = await nodes.connect(survivor, session);
    await awake.next(isEndOfMessage);
    sleeping.send('USER_MESSAGE', { text: 'say nothing' });
    await awake.next('AGENT_THINKING');
    child.kill('SIGSTOP');
    // Simulates the passing of time while it sleeps.
    await nodes.run(
      'UPDATE node_leases SET expires_at = 0 WHERE epoch = (SELECT min(epoch) FROM node_leases)',
    );
    await awake.next(saying('You said: say nothing'));
    // It handles this when it resumes, before it learns that the session has another owner.
    sleeping.send('USER_MESSAGE', { text: 'good morning' });
    child.kill('SIGCONT');
    for (const socket of [awake, sleeping]) await socket.next(saying('You said: good morning'));
    const log = await readLog();
    expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index + 1));
    const spoken = log.map(({ text }) => text).filter((text) => text !== null && text !== '');
    expect(spoken).toEqual([
      'Hello!',
      'say nothing',
      'You said: say nothing',
      'good morning',
      'You said: good morning',
    ]);
  });

  it('acquires a new lease after losing it, and each session with its next message', async () => {
    const one = await nodes.start();
    const session = await nodes.startSession(one);
    const socket = await nodes.connect(one, session);
    socket.send('REQUEST_AGENT_JOIN');
    await socket.next(isEndOfMessage);
    const read = async () =>
      (
        await nodes.run(
          `SELECT s.owner_epoch, s.owner_node_epoch = l.epoch AS is_current, l.epoch
             FROM node_leases l LEFT JOIN sessions s ON s.owner_node = l.node`,
        )
      )[0];
    const before = await read();
    expect(before).toMatchObject({ owner_epoch: 1, is_current: true });
    // Simulates the state that a node finds after sleeping for minutes.
    await nodes.run('DELETE FROM node_leases');
    await expect.poll(read).toMatchObject({ owner_epoch: 1, is_current: false });
    socket.send('USER_MESSAGE', { text: 'Whose am I?' });
    await socket.next(saying('You said: Whose am I?'));
    const after = await read();
    expect(after).toMatchObject({ owner_epoch: 2, is_current: true });
    expect(Number(after?.['epoch'])).toBeGreaterThan(Number(before?.['epoch']));
  });

  it("takes over a dead node's thousand sessions, and answers each once", async () => {
    await nodes.start();
    await nodes.start();
    await insertInterruptedSessions(nodes, ABANDONED);
    // An unreadable row must not block the others: its sequence exceeds JavaScript's numbers.
    await nodes.run(
      'UPDATE turns SET input_sequence = 9007199254740993 WHERE id = (SELECT id FROM turns ORDER BY id LIMIT 1)',
    );
    await letLeaseRunOut(nodes);
    await expect.poll(() => countOpenTurns(nodes), { interval: 500 }).toBe(1);
    const answers = await nodes.run(
      `SELECT answers, count(*)::int AS sessions
         FROM (SELECT s.id, count(e.id)::int AS answers
                 FROM sessions s
                 LEFT JOIN events e ON e.session_id = s.id AND e.payload ->> 'is_complete' = 'true'
                GROUP BY s.id) AS counted
        GROUP BY answers ORDER BY answers`,
    );
    expect(answers).toEqual([
      { answers: 0, sessions: 1 },
      { answers: 1, sessions: ABANDONED - 1 },
    ]);
  });
});
