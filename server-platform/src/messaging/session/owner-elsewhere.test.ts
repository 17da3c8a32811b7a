import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AgentAction, AgentTurn } from '../../agents/index.ts';
import { NO_PEERS, type Peers } from '../../bus/index.ts';
import { systemClock } from '../../clock.ts';
import { loadConfig } from '../../config/index.ts';
import { EMBEDDED_ENGINE } from '../../db/testing/engines.ts';
import { claimSession, testLease } from '../../db/testing/fixtures.ts';
import type { Platform } from '../../start-platform.ts';
import { transientSystemMessage } from '../outgoing-event.ts';
import { CRASH_EVENT_ID, CRASH_EVENTS_KEY, createCrashOptions } from '../testing/crash-options.ts';
import { createNodes, NODES_DATABASE_URL, type TestNodes } from '../testing/nodes.ts';
import { createSkippingClock } from '../testing/skipping-clock.ts';
import {
  isEndOfMessage,
  startTestPlatform,
  type TestPlatform,
  type TestSession,
} from '../testing/test-platform.ts';
import { type TestSocket, typesOf } from '../testing/test-socket.ts';

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

// One process has the embedded database to itself.
describe.skipIf(NODES_DATABASE_URL === '')('a session that another node owns', () => {
  // Nothing is looked after: what arrives was told, and not found.
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

  it('has its agent told at once of an external event that came to this one (EE-6)', async () => {
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

  it('sees a verified context that was submitted to this one with its next turn (VCI-8)', async () => {
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

  it('hears a desk that speaks to this one, and shows its queue to sockets of this one (5.5)', async () => {
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
    await expect.poll(() => requested.map(({ type }) => type)).toContain('message.created');
    expect(requested.map(({ type }) => type)).toContain('typing.changed');
    await tell({ type: 'left', agent: GRACE, next: 'end' });
    expect((await there.closed).code).toBe(1000);
    expect((await tell({ type: 'message', agent: GRACE, text: 'too late' })).status).toBe(404);
  });
});

describe('what nodes say to each other of what a client sends', () => {
  const OTHER = 'other';
  const handlers = new Map<string, (body: unknown) => Promise<unknown>>();
  const inputs: Record<string, unknown>[] = [];
  let platform: TestPlatform;
  let answerInput: (body: Record<string, unknown>) => Promise<unknown>;
  const peers: Peers = {
    ...NO_PEERS,
    isShared: true,
    isAlone: false,
    names: [OTHER],
    canReach: (node) => node === OTHER,
    async call(_node, ask, body) {
      if (ask !== 'input') return 0;
      const input = { ...(body as object) };
      inputs.push(input);
      return await answerInput(input);
    },
    answer: (ask, handler) => void handlers.set(ask, handler),
  };
  const taken = (message: string) => {
    const event = transientSystemMessage(0, 'SYSTEM_MESSAGE_LEVEL_INFO', message, null);
    return { status: 'taken', delivered: [event], refusal: null, close: null };
  };
  beforeAll(async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE, { peers });
  });
  beforeEach(() => void inputs.splice(0));
  afterAll(() => platform.stop());

  /** A session that the other node has taken from this one, which does not know yet. */
  async function converse() {
    const conversation = await platform.converse({ streaming_enabled: false });
    const lease = await testLease(platform.database, OTHER);
    const takeover = { from: 'test', isIdleOnly: false };
    const { sessionId } = conversation;
    const claim = await claimSession(platform.database, sessionId, lease, takeover);
    expect(claim.status).toBe('claimed');
    return conversation;
  }

  it('reaches the owner also when this node believed to be it, and what that says reaches the sender', async () => {
    answerInput = async () => taken('said by the owner');
    const { socket, sessionId } = await converse();
    socket.send('USER_MESSAGE', { text: 'hi' });
    expect((await socket.next('SYSTEM_MESSAGE')).payload['message']).toBe('said by the owner');
    expect(inputs).toMatchObject([{ sessionId, isAdmitted: true, event: { payload: { text: 'hi' } } }]);
    await socket.close();
  });

  it('is handled here when the other node says that it is not the owner, and no answer breaks off', async () => {
    answerInput = async () => ({ status: 'not_owner' });
    const { socket } = await converse();
    socket.send('USER_MESSAGE', { text: 'hi' });
    expect((await socket.next(isEndOfMessage)).payload['text']).toBe('You said: hi');
    await socket.close();
  });

  it('goes there again under the same draft id while nothing is known of it', async () => {
    const { socket } = await converse();
    answerInput = async () => {
      if (inputs.length < 3) throw Object.assign(new Error('no answer'), { name: 'PeerError' });
      return taken('the third time');
    };
    socket.send('USER_MESSAGE', { text: 'hi' });
    expect((await socket.next('SYSTEM_MESSAGE')).payload['message']).toBe('the third time');
    expect(inputs).toHaveLength(3);
    expect(new Set(inputs.map(({ draftId }) => draftId)).size).toBe(1);
    await socket.close();
  });

  it('is not missed when it leaves no trace: nothing is said of it to the sender', async () => {
    const { socket } = await converse();
    answerInput = async () => taken('the message before');
    socket.send('USER_MESSAGE', { text: 'hi' });
    await socket.next('SYSTEM_MESSAGE');
    const lost = [
      async () => ({ status: 'not_owner' }),
      () => Promise.reject(Object.assign(new Error('no answer'), { name: 'PeerError' })),
    ];
    answerInput = async () => (await lost.shift()?.()) ?? taken('the message after');
    socket.send('USER_TYPING', { state: 'TYPING_STATE_STARTED' });
    socket.send('USER_TYPING', { state: 'TYPING_STATE_STOPPED' });
    socket.send('USER_MESSAGE', { text: 'hi again' });
    expect((await socket.next('SYSTEM_MESSAGE')).payload['message']).toBe('the message after');
    expect(lost).toHaveLength(0);
    await socket.close();
  });

  it('goes nowhere else when it leaves no trace and this node owns the session', async () => {
    answerInput = async () => taken('said by nobody');
    const { socket } = await platform.converse({ streaming_enabled: false });
    socket.send('USER_TYPING', { state: 'TYPING_STATE_STARTED' });
    socket.send('USER_MESSAGE', { text: 'hi' });
    expect((await socket.next(isEndOfMessage)).payload['text']).toBe('You said: hi');
    expect(inputs).toEqual([]);
    await socket.close();
  });

  it('brings back what the owner says also when it leaves no trace, and closes the socket where that breaks', async () => {
    const { socket } = await converse();
    answerInput = async () => taken('said of a message');
    socket.send('USER_MESSAGE', { text: 'hi' });
    await socket.next('SYSTEM_MESSAGE');
    answerInput = async () => taken('said of typing');
    socket.send('USER_TYPING', { state: 'TYPING_STATE_STARTED' });
    expect((await socket.next('SYSTEM_MESSAGE')).payload['message']).toBe('said of typing');
    answerInput = () => Promise.reject(new Error('no answer of this kind'));
    socket.send('USER_TYPING', { state: 'TYPING_STATE_STOPPED' });
    expect((await socket.closed).code).toBe(1011);
  });

  it('is stored once when it comes twice, and not taken when it was over the limit where it came', async () => {
    const { socket, sessionId } = await platform.converse({ streaming_enabled: false });
    const receive = (type: string, fields: object) => {
      const event = { type, payload: { text: 'twice' }, custom: null };
      return handlers.get('input')?.({ sessionId, event, draftId: 'draft', isAdmitted: true, ...fields });
    };
    expect(await receive('EVENT_TYPE_USER_MESSAGE', {})).toMatchObject({ status: 'taken' });
    expect(await receive('EVENT_TYPE_USER_MESSAGE', {})).toMatchObject({ status: 'taken' });
    await socket.next(isEndOfMessage);
    const over = { isAdmitted: false, draftId: 'another' };
    for (const type of ['EVENT_TYPE_USER_MESSAGE', 'EVENT_TYPE_USER_END_SESSION'])
      expect(await receive(type, over)).toMatchObject({ status: 'taken' });
    const log = await platform.log.readAfter(sessionId, 0, 100);
    expect(log.filter(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE')).toHaveLength(1);
    expect(log.filter(({ type }) => type === 'EVENT_TYPE_SESSION_END')).toHaveLength(0);
    await socket.close();
  });
});

describe.skipIf(NODES_DATABASE_URL === '')('silence on one of two nodes', () => {
  it('ends a session only when the other has heard nothing either (HB-3, HB-4)', async () => {
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
