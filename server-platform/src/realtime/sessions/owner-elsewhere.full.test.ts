import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CRASH_EVENT_ID,
  CRASH_EVENTS_KEY,
  createCrashOptions,
} from '../../../test/realtime/crash-options.ts';
import { createNodes, NODES_DATABASE_URL, type TestNodes } from '../../../test/realtime/nodes.ts';
import { createSkippingClock } from '../../../test/realtime/skipping-clock.ts';
import { isEndOfMessage, type TestSession } from '../../../test/realtime/test-platform.ts';
import { type TestSocket, typesOf } from '../../../test/realtime/test-socket.ts';
import type { AgentAction, AgentTurn } from '../../agents/index.ts';
import { loadConfig } from '../../app/config/index.ts';
import type { Platform } from '../../app/start-platform.ts';
import { systemClock } from '../../kit/clock.ts';

const CONTEXT_SECRET = '9f1c0b7e4d2a58636b7f9e0d1c2b3a4958677685940312fedcba98765432100f';
const DESK_KEY = 'a-handoff-key-of-the-nodes-tests';
const GRACE = { id: 'agent-7', name: 'Grace' };

async function* script(turn: AgentTurn): AsyncGenerator<AgentAction> {
  if (turn.text === 'pay')
    yield { type: 'wait_for_event', name: 'payment', timeoutMs: 600_000, eventId: CRASH_EVENT_ID };
  if (turn.event !== undefined) yield { type: 'text', text: `Paid: ${turn.event.received?.data}` };
  else yield { type: 'text', text: `Tier ${turn.contextVault['tier'] ?? 'unknown'}` };
  if (turn.text === 'a person, please')
    yield {
      type: 'handoff',
      destination: 'billing',
      reason: 'POLICY',
      managed: 'server',
      queueName: 'q',
      data: {},
    };
}

// Requires a database server, because the embedded database serves one process only.
describe.skipIf(NODES_DATABASE_URL === '')('a session that another node owns', () => {
  // Disables sweeps, so that events arrive through notifications only.
  const clock = {
    now: systemClock.now,
    setTimer: (callback: () => void, delayMs: number) =>
      delayMs >= 5_000 ? () => {} : systemClock.setTimer(callback, delayMs),
  };
  const requested: Record<string, unknown>[] = [];
  let desk: Server;
  let nodes: TestNodes;
  let one: Platform;
  let two: Platform;
  beforeAll(async () => {
    desk = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        requested.push(JSON.parse(Buffer.concat(parts).toString()));
        response.writeHead(204).end();
      });
    });
    desk.listen(0, '127.0.0.1');
    await once(desk, 'listening');
    const url = `http://127.0.0.1:${(desk.address() as AddressInfo).port}`;
    const { accounts = [] } = createCrashOptions({ dataDir: 'memory' }, script);
    const key = { permissions: ['handoff'], legacy: false, region: null, expires: null };
    nodes = await createNodes({
      clock,
      script,
      config: {
        ...(await loadConfig({}, {})),
        handoffProviders: new Map([
          ['desk', { kind: 'http', url, secret: 'a-secret-of-the-desk', timeoutMs: 5_000 }],
        ]),
      },
      accounts: accounts.map((account) => ({
        ...account,
        projects: account.projects.map((project) => ({
          ...project,
          handoff: 'desk',
          contextKeys: { 'key-1': CONTEXT_SECRET },
          keys: [...(project.keys ?? []), { ...key, name: 'desk', key: DESK_KEY }],
        })),
      })),
    });
    one = await nodes.start();
    two = await nodes.start();
  });
  afterAll(async () => {
    await nodes.close();
    desk.close();
  });

  async function converse(): Promise<{ session: TestSession; here: TestSocket }> {
    const session = await nodes.startSession(one);
    const here = await nodes.connect(one, session);
    here.send('REQUEST_AGENT_JOIN');
    await here.next(isEndOfMessage);
    return { session, here };
  }

  it('notifies the agent at once of an external event that reached another node (EE-6)', async () => {
    const { here } = await converse();
    here.send('USER_MESSAGE', { text: 'pay' });
    await here.next(isEndOfMessage);
    const query = 'event_id_location=payload&event_id_path=id&account_id=crash&project_id=crash';
    const answer = await fetch(`${two.url}/v1/external-events/webhook?${query}`, {
      method: 'POST',
      headers: { 'X-Api-Key': CRASH_EVENTS_KEY },
      body: `id=${CRASH_EVENT_ID}`,
    });
    expect(answer.status).toBe(201);
    expect((await here.next(isEndOfMessage)).payload['text']).toBe(`Paid: id=${CRASH_EVENT_ID}`);
  });

  it('passes verified context that reached another node to the next turn (VCI-8)', async () => {
    const { session, here } = await converse();
    const contextId = here.events.find(({ type }) => type === 'EVENT_TYPE_SESSION_START')?.payload[
      'context_id'
    ];
    const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const iat = Math.floor(Date.now() / 1000);
    const claims = { sub: contextId, iat, exp: iat + 30, ctx: { tier: 'gold' } };
    const signed = `${encode({ alg: 'HS256', kid: 'key-1' })}.${encode(claims)}`;
    const token = `${signed}.${createHmac('sha256', CONTEXT_SECRET).update(signed).digest('base64url')}`;
    const answer = await fetch(`${two.url}/api/v1/sessions/${session.sessionId}/context`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${session.accessToken}` },
      body: JSON.stringify({ token }),
    });
    expect(answer.status).toBe(204);
    here.send('USER_MESSAGE', { text: 'hi' });
    expect((await here.next(isEndOfMessage)).payload['text']).toBe('Tier gold');
  });

  it('delivers desk events between nodes, and shows the queue to sockets of every node (5.5)', async () => {
    const { session, here } = await converse();
    here.send('USER_MESSAGE', { text: 'a person, please' });
    await here.next('AGENT_LEFT');
    const isRequested = (event: Record<string, unknown>): boolean => event['type'] === 'handoff.requested';
    await expect.poll(() => requested.some(isRequested)).toBe(true);
    const handoffId = requested.find(isRequested)?.['handoff_id'];
    const tell = async (body: object): Promise<{ status: number; body: Record<string, unknown> }> => {
      const answer = await fetch(`${two.url}/v1/crash/crash/handoffs/${handoffId}/events`, {
        method: 'POST',
        headers: { 'x-api-key': DESK_KEY, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: answer.status, body: JSON.parse(await answer.text()) };
    };
    expect((await tell({ type: 'queue', position_in_queue: 2 })).status).toBe(200);
    const there = await nodes.connect(two, session);
    expect((await there.next('HANDOFF_QUEUE_STATUS')).payload['position_in_queue']).toBe(2);
    await tell({ type: 'joined', agent: GRACE });
    await tell({ type: 'typing', agent: GRACE, state: 'started' });
    const sent = await tell({ type: 'message', agent: GRACE, text: 'How can I help?' });
    for (const socket of [here, there]) {
      await socket.next('LIVE_AGENT_TYPING');
      expect((await socket.next('LIVE_AGENT_MESSAGE')).payload['message_id']).toBe(sent.body['message_id']);
    }
    there.send('USER_TYPING', { state: 'TYPING_STATE_STARTED' });
    there.send('USER_MESSAGE', { text: 'hello Grace' });
    // Posted separately, so either may arrive first.
    await expect
      .poll(() => requested.map(({ type }) => type))
      .toEqual(expect.arrayContaining(['typing.changed', 'message.created']));
    await tell({ type: 'left', agent: GRACE, next: 'end' });
    expect((await there.closed).code).toBe(1000);
    expect((await tell({ type: 'message', agent: GRACE, text: 'too late' })).status).toBe(404);
  });
});

describe.skipIf(NODES_DATABASE_URL === '')('silence on one of two nodes', () => {
  it('expires a session only when no node has seen activity (HB-3, HB-4)', async () => {
    const clock = createSkippingClock();
    const nodes = await createNodes({ clock });
    const one = await nodes.start();
    const two = await nodes.start();
    const session = await nodes.startSession(one);
    const here = await nodes.connect(one, session);
    here.send('REQUEST_AGENT_JOIN');
    await here.next(isEndOfMessage);
    const there = await nodes.connect(two, session);
    await there.next(isEndOfMessage);
    clock.skip(400_000);
    there.send('HEARTBEAT');
    await there.next('HEARTBEAT');
    const isNoted = async (): Promise<boolean> => {
      const [row] = await nodes.run(`SELECT last_activity FROM sessions`);
      return clock.now() - Number(row?.['last_activity']) < 300_000;
    };
    await expect.poll(isNoted).toBe(true);
    clock.skip(300_000);
    // The socket is idle, its session is not.
    await expect
      .poll(() => {
        clock.skip(1_000);
        return here.ws.readyState;
      })
      .toBe(here.ws.CLOSED);
    expect((await here.closed).code).toBe(1001);
    expect(typesOf(there.events)).not.toContain('SESSION_END');
    clock.skip(600_000);
    await expect
      .poll(() => {
        clock.skip(1_000);
        return there.ws.readyState;
      })
      .toBe(there.ws.CLOSED);
    expect((await there.closed).code).toBe(1000);
    expect(typesOf(there.events).at(-1)).toBe('SESSION_END');
    await nodes.close();
  });
});
