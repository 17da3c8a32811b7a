import * as v from 'valibot';
import { afterEach, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { echoScript } from '../../../test/realtime/scripted-agent.ts';
import { createSkippingClock } from '../../../test/realtime/skipping-clock.ts';
import {
  isEndOfMessage,
  startTestPlatform,
  type TestPlatform,
} from '../../../test/realtime/test-platform.ts';
import { type TestSocket, typesOf } from '../../../test/realtime/test-socket.ts';
import type { HandoffAction } from '../../agents/index.ts';
import type { MessagingConnector } from '../../realtime/conversation/connector.ts';
import { createHandoffProviders } from './create-handoff-providers.ts';
import { handoffProviderSchema, type ScriptedDeskConfig } from './handoff-provider-config.ts';
import { OpenHandoffs } from './open-handoffs.ts';

const FAST = { kind: 'scripted', stepMs: 1, typingMs: 1, positions: 2 };
let platform: TestPlatform;
afterEach(() => platform.stop());

/** A platform with the scripted desk, and a visitor who has just asked for a person. */
async function askForPerson(
  script: Partial<ScriptedDeskConfig>,
  options: {
    readonly connector?: Partial<MessagingConnector>;
    readonly managed?: HandoffAction['managed'];
    readonly kind?: 'scripted' | 'client';
  } = {},
): Promise<TestSocket> {
  const { kind = 'scripted', managed = 'server' } = options;
  const config = kind === 'client' ? { kind } : { ...FAST, ...script };
  const providers = createHandoffProviders({
    configs: new Map([['desk', v.parse(handoffProviderSchema, config)]]),
    open: new OpenHandoffs(),
    clock: createSkippingClock(),
    headerStyle: 'neutral',
    createDesk: () => {
      throw new Error('no desk here');
    },
    onFailure: (_what, error) => {
      throw error;
    },
  });
  platform = await startTestPlatform(EMBEDDED_ENGINE, {
    connector: { handoff: 'desk', ...options.connector },
    handoffProviders: providers,
  });
  platform.agent.script = async function* (turn) {
    if (turn.text !== 'a person, please') {
      yield* echoScript(turn);
      return;
    }
    yield { type: 'text', text: 'One moment.' };
    yield { type: 'handoff', destination: 'billing', reason: 'COMPLEX_QUERY', managed };
  };
  const { socket } = await platform.converse({ streaming_enabled: false });
  socket.send('USER_MESSAGE', { text: 'a person, please' });
  await socket.next((frame) => frame.payload['text'] === 'One moment.');
  return socket;
}

const since = (socket: TestSocket, text: string): readonly string[] => {
  const index = socket.events.findIndex(({ payload }) => payload['text'] === text);
  return typesOf(socket.events.slice(index));
};
const systemTexts = (socket: TestSocket): readonly unknown[] =>
  socket.events
    .filter(({ type }) => type === 'EVENT_TYPE_SYSTEM_MESSAGE')
    .map(({ payload }) => payload['message']);

describe('the scripted desk', () => {
  it('plays a queue, a human agent who types and answers, and a goodbye (8.3)', async () => {
    const socket = await askForPerson({ answers: ['Yes.', 'No.'], leavesAfter: 9, queueName: 'Desk' });
    const greeting = await socket.next('LIVE_AGENT_MESSAGE');
    expect(greeting.payload).toMatchObject({
      agent_name: 'Grace',
      agent_id: 'scripted-grace',
    });
    const statuses = socket.events.filter(({ type }) => type === 'EVENT_TYPE_HANDOFF_QUEUE_STATUS');
    expect(statuses.map(({ payload }) => payload)).toEqual([
      { queue_name: 'Desk', position_in_queue: 2, estimated_wait_seconds: 1 },
      { queue_name: 'Desk', position_in_queue: 1, estimated_wait_seconds: 1 },
    ]);
    for (const [text, answer] of [
      ['one', 'Yes.'],
      ['two', 'No.'],
      ['three', 'Yes.'],
    ]) {
      socket.send('USER_MESSAGE', { text });
      await socket.next((frame) => frame.payload['text'] === text);
      expect((await socket.next('LIVE_AGENT_MESSAGE')).payload['text']).toBe(answer);
    }
    socket.send('USER_MESSAGE', { text: 'Thanks, goodbye' });
    expect((await socket.next('SESSION_END')).payload).toEqual({ reason: 'REASON_NATURAL_END' });
    expect(since(socket, 'One moment.').filter((type) => type !== 'LIVE_AGENT_TYPING')).toEqual([
      'AGENT_MESSAGE',
      'AGENT_TRIGGERED_HANDOFF',
      'AGENT_LEFT',
      'HANDOFF_ACCEPTED',
      'HANDOFF_QUEUE_STATUS',
      'HANDOFF_QUEUE_STATUS',
      'LIVE_AGENT_JOINED',
      'LIVE_AGENT_MESSAGE',
      ...['USER_MESSAGE', 'LIVE_AGENT_MESSAGE', 'USER_MESSAGE', 'LIVE_AGENT_MESSAGE'],
      ...['USER_MESSAGE', 'LIVE_AGENT_MESSAGE', 'USER_MESSAGE', 'LIVE_AGENT_MESSAGE'],
      'LIVE_AGENT_LEFT',
      'SESSION_END',
    ]);
    expect(typesOf(socket.events)).toContain('LIVE_AGENT_TYPING');
    expect(platform.failures).toEqual([]);
  });

  it('makes the scripted agent leave after a number of messages (8.3)', async () => {
    const socket = await askForPerson({ leavesAfter: 1, goodbye: 'I have to go.' });
    await socket.next('LIVE_AGENT_MESSAGE');
    socket.send('USER_MESSAGE', { text: 'hello' });
    expect((await socket.next('LIVE_AGENT_MESSAGE')).payload['text']).toBe('I have to go.');
    await socket.next('SESSION_END');
  });

  it('can fail in the queue, after which the automated agent is back (8.5)', async () => {
    const socket = await askForPerson({ outcome: 'fails' });
    const failed = await socket.next('HANDOFF_FAILED');
    expect(failed.payload).toEqual({ reason: 'The queue has closed.' });
    await socket.next('AGENT_JOINED');
    expect(since(socket, 'One moment.')).toEqual([
      'AGENT_MESSAGE',
      'AGENT_TRIGGERED_HANDOFF',
      'AGENT_LEFT',
      'HANDOFF_ACCEPTED',
      'HANDOFF_QUEUE_STATUS',
      'HANDOFF_FAILED',
      'AGENT_JOINED',
    ]);
    socket.send('USER_MESSAGE', { text: 'still there?' });
    expect((await socket.next(isEndOfMessage)).payload['text']).toBe('You said: still there?');
  });

  it('can keep a visitor waiting until the hand-off times out (8.5)', async () => {
    const socket = await askForPerson(
      { outcome: 'nobody_joins' },
      { connector: { handoffTimeoutMs: 30_000, onHandoffFailure: 'stay' } },
    );
    await socket.next('HANDOFF_QUEUE_STATUS');
    platform.clock.skip(30_000);
    await socket.next('HANDOFF_TIMEOUT');
    expect(since(socket, 'One moment.').at(-1)).toBe('HANDOFF_TIMEOUT');
  });

  it.each([
    ['refuses', 'Sorry, handoff could not be initiated.'],
    ['unavailable', 'Sorry, we could not connect you to an agent. Please try again.'],
  ] as const)('%s: says so in the words of the catalogue (12.1)', async (outcome, text) => {
    const socket = await askForPerson({ outcome }, { connector: { onHandoffFailure: 'end' } });
    await socket.next('SESSION_END');
    expect(since(socket, 'One moment.').slice(1)).toEqual([
      'AGENT_TRIGGERED_HANDOFF',
      'AGENT_LEFT',
      'SYSTEM_MESSAGE',
      'HANDOFF_FAILED',
      'SESSION_END',
    ]);
    expect(systemTexts(socket)).toEqual([text]);
  });

  it('can lose messages, which shows the visitor an error (12.1)', async () => {
    const socket = await askForPerson({ losesMessages: true });
    await socket.next('LIVE_AGENT_MESSAGE');
    socket.send('USER_MESSAGE', { text: 'hello?' });
    await socket.next('SYSTEM_MESSAGE');
    expect(systemTexts(socket)).toEqual(['Failed to forward message to live agent']);
  });

  it('stops the script once the visitor has ended the session (8.6)', async () => {
    const socket = await askForPerson({ stepMs: 60_000 });
    await socket.next('HANDOFF_QUEUE_STATUS');
    socket.send('USER_END_SESSION');
    expect((await socket.next('SESSION_END')).payload).toEqual({ reason: 'REASON_USER_END' });
    expect(platform.failures).toEqual([]);
  });
});

describe('the client provider', () => {
  it('lets the page connect the visitor to human agents, regardless of the agent’s request (8.4)', async () => {
    const socket = await askForPerson({}, { kind: 'client', managed: 'server' });
    await socket.next('AGENT_LEFT');
    expect(since(socket, 'One moment.')).toEqual([
      'AGENT_MESSAGE',
      'AGENT_TRIGGERED_HANDOFF',
      'CLIENT_HANDOFF_REQUIRED',
      'AGENT_LEFT',
    ]);
  });
});
