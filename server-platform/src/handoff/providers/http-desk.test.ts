import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyWebhook } from '@natter/sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createScriptedAgent, echoScript } from '../../../test/realtime/scripted-agent.ts';
import { isEndOfMessage } from '../../../test/realtime/test-platform.ts';
import { openTestSocket, type TestSocket, typesOf } from '../../../test/realtime/test-socket.ts';
import { DEFAULT_CONNECTOR_SETTINGS } from '../../accounts/index.ts';
import { loadConfig } from '../../app/config/index.ts';
import { type Platform, startPlatform } from '../../app/start-platform.ts';
import { DESK_EVENTS } from './desk-events-family.ts';

const SECRET = 'desk-secret-of-tests-and-nothing-else';
const TOKEN = 'a-connector-token-of-tests';
const KEY = 'a-handoff-key-of-tests';
const GRACE = { id: 'agent-7', name: 'Grace' };

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: Readonly<Record<string, unknown>>;
}

/** Another live-agent system: records its requests, and answers as the test says. */
class OtherSystem {
  readonly received: Received[] = [];
  statuses: number[] = [];
  #server: Server | null = null;

  async start(): Promise<string> {
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const body = Buffer.concat(parts).toString();
        this.received.push({ headers: request.headers, body, event: JSON.parse(body) });
        response.writeHead(this.statuses.shift() ?? 204).end();
      });
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/natter`;
  }

  typed(type: string): readonly Received[] {
    return this.received.filter(({ event }) => event['type'] === type);
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server?.close(() => resolve());
      this.#server?.closeAllConnections();
    });
  }
}

describe('the HTTP desk', () => {
  const desk = new OtherSystem();
  let platform: Platform;
  let url = '';
  beforeAll(async () => {
    url = await desk.start();
    platform = await startWith('memory');
  });
  afterAll(async () => {
    await platform.close();
    await desk.stop();
  });
  afterEach(() => {
    desk.received.length = 0;
    desk.statuses = [];
  });

  async function startWith(dataDir: string): Promise<Platform> {
    const agent = createScriptedAgent(async function* (turn) {
      if (turn.text !== 'a person, please') {
        yield* echoScript(turn);
        return;
      }
      yield { type: 'text', text: 'One moment.' };
      yield {
        type: 'handoff',
        destination: 'billing',
        reason: 'POLICY',
        managed: 'server',
        queueName: 'q',
        data: { order: 7 },
      };
    });
    const defaults = await loadConfig({}, {});
    const connector = {
      name: 'web',
      token: TOKEN,
      hosts: [{ kind: 'domain' as const, value: 'localhost' }],
      environment: 'live',
    };
    const settings = { ...DEFAULT_CONNECTOR_SETTINGS, receipts: true };
    return await startPlatform({
      config: {
        ...defaults,
        logLevel: 'silent',
        handoffProviders: new Map([['desk', { kind: 'http', url, secret: SECRET, timeoutMs: 60_000 }]]),
      },
      dataDir,
      port: 0,
      agents: new Map([['scripted', agent]]),
      accounts: [
        {
          slug: 'acme',
          projects: [
            {
              slug: 'shop',
              agent: 'scripted',
              handoff: 'desk',
              contextKeys: {},
              connectors: [{ ...connector, settings }],
              keys: [
                {
                  name: 'desk',
                  key: KEY,
                  permissions: ['handoff'],
                  legacy: false,
                  region: null,
                  expires: null,
                },
              ],
            },
            { slug: 'other', agent: null, contextKeys: {}, connectors: [] },
          ],
          keys: [
            {
              name: 'all',
              key: `${KEY}-for-all`,
              permissions: ['handoff'],
              legacy: false,
              region: null,
              expires: null,
            },
          ],
        },
      ],
    });
  }

  async function askForPerson(): Promise<TestSocket> {
    const post = async (path: string, headers: Record<string, string>): Promise<Record<string, unknown>> =>
      (await fetch(`${platform.url}/api/v1${path}`, { method: 'POST', headers, body: '{}' })).json();
    const minted = await post('/access-token', {
      'X-Token': TOKEN,
      'X-Host': 'localhost',
      Origin: 'http://localhost:3000',
    });
    const token = String(minted['access_token']);
    const { session_id: sessionId } = await post('/sessions', { Authorization: `Bearer ${token}` });
    const socket = await openTestSocket(
      `${platform.url.replace('http', 'ws')}/ws?session_id=${sessionId}&access_token=${token}`,
    );
    socket.send('REQUEST_AGENT_JOIN');
    await socket.next(isEndOfMessage);
    socket.send('USER_MESSAGE', { text: 'a person, please' });
    await socket.next('AGENT_LEFT');
    return socket;
  }

  async function tell(
    handoffId: unknown,
    body: object,
    { key = KEY, project = 'shop' } = {},
  ): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
    const answer = await fetch(`${platform.url}/v1/acme/${project}/handoffs/${handoffId}/events`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  }

  const requested = async (): Promise<Received> => {
    await expect.poll(() => desk.typed('handoff.requested').length).toBe(1);
    const [event] = desk.typed('handoff.requested');
    if (event === undefined) throw new Error('nothing was requested');
    return event;
  };

  it('hands a conversation over to another system and back, as 8.3 says', async () => {
    const socket = await askForPerson();
    const { headers, body, event } = await requested();
    expect(await verifyWebhook({ headers, body, secret: SECRET })).toMatchObject({ isValid: true });
    expect(event).toMatchObject({
      destination: 'billing',
      reason: 'POLICY',
      queue_name: 'q',
      data: { order: 7 },
      conversation_id: expect.stringMatching(/^CONV-/),
      history: [
        { author: 'agent', text: 'Hello!' },
        { author: 'user', text: 'a person, please' },
        { author: 'agent', text: 'One moment.' },
      ],
    });
    const id = event['handoff_id'];
    expect((await tell(id, { type: 'accepted', queue_name: 'q' })).status).toBe(200);
    await tell(id, { type: 'queue', position_in_queue: 2, estimated_wait_seconds: 60 });
    await tell(id, { type: 'joined', agent: GRACE });
    await socket.next('LIVE_AGENT_JOINED');
    socket.send('USER_TYPING', { state: 'TYPING_STATE_STARTED' });
    socket.send('USER_MESSAGE', { text: 'hello Grace' });
    await expect
      .poll(() => desk.typed('message.created').map((each) => each.event['text']))
      .toEqual(['hello Grace']);
    await expect
      .poll(() => desk.typed('typing.changed').map((each) => each.event['state']))
      .toContain('started');
    await tell(id, { type: 'typing', agent: GRACE, state: 'started' });
    const { example } = DESK_EVENTS;
    const sent = await tell(id, { ...Object(example.body), text: 'How can I help?' });
    expect(Object.keys(sent.body)).toEqual(Object.keys(Object(example.answer)));
    const message = await socket.next('LIVE_AGENT_MESSAGE');
    expect(message.payload).toMatchObject({
      message_id: sent.body['message_id'],
      text: 'How can I help?',
      agent_name: 'Grace',
    });
    socket.send('USER_READ_MESSAGE', { message_id: message.payload['message_id'] });
    await expect
      .poll(() => desk.typed('message.read').map((each) => each.event['message_id']))
      .toEqual([sent.body['message_id']]);
    await tell(id, { type: 'left', agent: GRACE, next: 'end' });
    expect((await socket.next('SESSION_END')).payload).toEqual({ reason: 'REASON_NATURAL_END' });
    expect(typesOf(socket.events).filter((type) => /HANDOFF|LIVE/.test(type))).toEqual([
      'AGENT_TRIGGERED_HANDOFF',
      'HANDOFF_ACCEPTED',
      'HANDOFF_QUEUE_STATUS',
      'LIVE_AGENT_JOINED',
      'LIVE_AGENT_TYPING',
      'LIVE_AGENT_MESSAGE',
      'LIVE_AGENT_LEFT',
    ]);
    expect((await tell(id, { type: 'message', agent: GRACE, text: 'too late' })).status).toBe(404);
  });

  it('notifies the other system that the visitor has left', async () => {
    const socket = await askForPerson();
    const { event } = await requested();
    await tell(event['handoff_id'], { type: 'joined', agent: GRACE });
    await socket.next('LIVE_AGENT_JOINED');
    socket.send('USER_END_SESSION');
    await socket.next('SESSION_END');
    await expect
      .poll(() => desk.typed('handoff.closed').map((each) => each.event['reason']))
      .toEqual(['user_ended']);
  });

  it.each([
    [[403], 'Sorry, handoff could not be initiated.', 1],
    [[500, 503, 429], 'Sorry, we could not connect you to an agent. Please try again.', 3],
  ])(
    'that answers %j to the request fails with the words of the catalogue (12.1)',
    async (statuses, text, asked) => {
      desk.statuses = [...statuses];
      const socket = await askForPerson();
      const notice = await socket.next('SYSTEM_MESSAGE');
      expect(notice.payload['message']).toBe(text);
      await socket.next('HANDOFF_FAILED');
      await socket.next('AGENT_JOINED');
      expect(desk.typed('handoff.requested')).toHaveLength(asked);
      const ids = new Set(desk.received.map(({ headers }) => headers['x-webhook-event-id']));
      expect(ids.size).toBe(1);
    },
  );

  it('retries a message, and reports one that cannot be delivered (12.1)', async () => {
    const socket = await askForPerson();
    const { event } = await requested();
    await tell(event['handoff_id'], { type: 'joined', agent: GRACE });
    await socket.next('LIVE_AGENT_JOINED');
    desk.statuses = [502];
    socket.send('USER_MESSAGE', { text: 'first' });
    await expect.poll(() => desk.typed('message.created').length).toBe(2);
    desk.statuses = [400];
    socket.send('USER_MESSAGE', { text: 'second' });
    expect((await socket.next('SYSTEM_MESSAGE')).payload['message']).toBe(
      'Failed to forward message to live agent',
    );
    await tell(event['handoff_id'], { type: 'failed', reason: 'fire alarm' });
    expect((await socket.next('HANDOFF_FAILED')).payload).toEqual({ reason: 'fire alarm' });
  });

  it('continues after a restart, with either side sending first', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'natter-desk-'));
    const before = platform;
    platform = await startWith(folder);
    try {
      const socket = await askForPerson();
      const { event } = await requested();
      const id = event['handoff_id'];
      await tell(id, { type: 'joined', agent: GRACE });
      await socket.next('LIVE_AGENT_JOINED');
      await platform.close();
      platform = await startWith(folder);
      const sent = await tell(id, { type: 'message', agent: GRACE, text: 'Are you still there?' });
      expect(sent).toMatchObject({ status: 200, body: { message_id: expect.any(String) } });
      await tell(id, { type: 'left', agent: GRACE, next: 'end' });
      expect((await tell(id, { type: 'message', agent: GRACE, text: 'too late' })).status).toBe(404);
      expect(desk.typed('handoff.closed')).toEqual([]);
    } finally {
      await platform.close();
      platform = before;
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('rejects events without the project’s key, or for an unknown handoff', async () => {
    await askForPerson();
    const { event } = await requested();
    const id = event['handoff_id'];
    const joined = { type: 'joined', agent: GRACE };
    expect((await tell(id, joined, { key: 'a-key-that-nobody-has' })).status).toBe(401);
    expect((await tell(id, joined, { project: 'other' })).status).toBe(403);
    expect((await tell(id, joined, { project: 'other', key: `${KEY}-for-all` })).status).toBe(404);
    expect((await tell('ho_unknown', joined)).status).toBe(404);
    const gone = `ho_00000000-0000-4000-8000-000000000000_${'0'.repeat(12)}`;
    expect((await tell(gone, joined)).status).toBe(404);
  });

  it.each([
    [{ type: 'sung' }, 'type must be one of: accepted, queue, joined, typing, message, left, failed'],
    [{ type: 'joined' }, 'agent is required'],
    [[], 'Request body must be a JSON object'],
    [{}, 'type must be one of: accepted, queue, joined, typing, message, left, failed'],
    [
      { type: 'joined', agent: { id: 'a' } },
      'agent must be an object with id and name, each of 1 to 255 characters',
    ],
    [
      { type: 'joined', agent: { id: 7, name: 'Grace' } },
      'agent must be an object with id and name, each of 1 to 255 characters',
    ],
    [
      { type: 'joined', agent: { id: 'a', name: '' } },
      'agent must be an object with id and name, each of 1 to 255 characters',
    ],
    [
      { type: 'joined', agent: { ...GRACE, avatar_url: 7 } },
      'agent must have an avatar_url that is a string or null',
    ],
    [{ type: 'typing', agent: GRACE, state: 'paused' }, 'state must be one of: started, stopped'],
    [{ type: 'queue', position_in_queue: -1 }, 'position_in_queue must be an integer of 0 or more'],
  ])('refuses %j with what to correct', async (body, text) => {
    const refused = await tell('ho_unknown', body);
    expect([refused.status, refused.body['error']]).toEqual([400, text]);
  });
});
