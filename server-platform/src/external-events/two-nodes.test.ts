import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentAction, AgentTurn } from '../agents/index.ts';
import { openDatabase } from '../db/index.ts';
import { REACHABLE_ENGINES } from '../db/testing/engines.ts';
import {
  CRASH_CONNECTOR_TOKEN,
  CRASH_EVENT_ID,
  CRASH_EVENTS_KEY,
  createCrashOptions,
} from '../messaging/testing/crash-options.ts';
import { createSkippingClock } from '../messaging/testing/skipping-clock.ts';
import { isEndOfMessage } from '../messaging/testing/test-platform.ts';
import { openTestSocket } from '../messaging/testing/test-socket.ts';
import { type Platform, startPlatform } from '../start-platform.ts';

async function* cashier(turn: AgentTurn): AsyncGenerator<AgentAction> {
  if (turn.kind === 'message')
    yield { type: 'wait_for_event', name: 'payment', timeoutMs: 600_000, eventId: CRASH_EVENT_ID };
  yield { type: 'text', text: turn.event === undefined ? 'Hello!' : `Paid: ${turn.event.received?.data}` };
}

// One process has the embedded database to itself.
const databaseUrl = REACHABLE_ENGINES.find((engine) => engine.databaseUrl !== undefined)?.databaseUrl ?? '';

describe.skipIf(databaseUrl === '')('two nodes on one PostgreSQL server', () => {
  const schema = `natter_nodes_${randomUUID().replaceAll('-', '')}`;
  const clock = createSkippingClock();
  const nodes: Platform[] = [];
  const run = async (statement: string): Promise<void> => {
    const database = await openDatabase({ databaseUrl });
    await database.query(statement);
    await database.close();
  };
  beforeAll(async () => {
    await run(`CREATE SCHEMA ${schema}`);
    const url = new URL(databaseUrl);
    url.searchParams.set('options', `-c search_path=${schema}`);
    const options = createCrashOptions({ databaseUrl: url.href }, cashier);
    nodes.push(await startPlatform({ ...options, clock }));
    nodes.push(await startPlatform({ ...options, clock }));
  }, 120_000);
  afterAll(async () => {
    for (const node of nodes) await node.close();
    await run(`DROP SCHEMA ${schema} CASCADE`);
  });

  it('tell the agent of one of what came to the other (EE-6)', async () => {
    const [one, other] = nodes.map(({ url }) => url);
    const post = async (path: string, headers: Record<string, string>): Promise<Record<string, unknown>> =>
      (await fetch(`${one}/api/v1${path}`, { method: 'POST', headers, body: '{}' })).json();
    const minted = await post('/access-token', { 'X-Token': CRASH_CONNECTOR_TOKEN, 'X-Host': 'localhost' });
    const accessToken = String(minted['access_token']);
    const { session_id: sessionId } = await post('/sessions', { Authorization: `Bearer ${accessToken}` });
    const socket = await openTestSocket(
      `${one?.replace('http', 'ws')}/ws?session_id=${sessionId}&access_token=${accessToken}`,
    );
    socket.send('REQUEST_AGENT_JOIN');
    await socket.next(isEndOfMessage);
    socket.send('USER_MESSAGE', { text: 'pay' });
    await socket.next(isEndOfMessage);
    const answer = await fetch(
      `${other}/v1/external-events/webhook?event_id_location=payload&event_id_path=id&account_id=crash&project_id=crash`,
      { method: 'POST', headers: { 'X-Api-Key': CRASH_EVENTS_KEY }, body: `id=${CRASH_EVENT_ID}` },
    );
    expect(answer.status).toBe(201);
    // The first node looks after its sessions.
    clock.skip(5_000);
    expect((await socket.next(isEndOfMessage)).payload['text']).toBe(`Paid: id=${CRASH_EVENT_ID}`);
    await socket.close();
  });
});
