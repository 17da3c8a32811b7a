import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Evidence } from './invariants.ts';
import { type Lane, startLane } from './lane.ts';
import { SoakConversation, until } from './soak-conversation.ts';

const SPEED = 10;

let lane: Lane;
const conversations: SoakConversation[] = [];
beforeAll(async () => {
  lane = await startLane({ speed: SPEED });
});
afterEach(async () => {
  for (const { tab } of conversations.splice(0)) await tab.close();
});
afterAll(async () => {
  await lane?.close();
});

async function converse(over = lane): Promise<SoakConversation> {
  const conversation = new SoakConversation(over);
  conversations.push(conversation);
  await conversation.greeted();
  return conversation;
}

const typesOf = ({ logs }: Evidence): readonly string[] =>
  logs.flatMap(({ events }) => events.map(({ type }) => type.replace('EVENT_TYPE_', '')));

const statusOf = async ({ tab, sent }: SoakConversation, index = 0): Promise<string | undefined> => {
  const { items } = await tab.view();
  return items.find(({ localId }) => localId === sent[index]?.localId)?.status;
};

describe('kill -9 of the platform', () => {
  it('a kill before a message is committed: the client sends it again, and it is stored once', async () => {
    const conversation = await converse();
    await lane.platform.crashAt('before-commit');
    await conversation.send('never committed');
    const evidence = await conversation.settled();
    expect(await statusOf(conversation)).toBe('sent');
    expect(await conversation.timesWritten('never committed')).toBeGreaterThan(1);
    expect(typesOf(evidence).filter((type) => type === 'USER_MESSAGE')).toHaveLength(1);
    expect(await conversation.readAgentTexts()).toContain('You said: never committed.');
  });

  it('a kill after the commit and before the echo: the replay confirms the message, which is not sent again', async () => {
    const conversation = await converse();
    const startsBefore = lane.platform.starts;
    await lane.platform.crashAt('after-commit');
    await conversation.send('committed');
    await until(() => lane.platform.starts > startsBefore, 'the platform has started again');
    await conversation.settled();
    expect(await statusOf(conversation)).toBe('sent');
    expect(await conversation.timesWritten('committed')).toBe(1);
    expect(await conversation.readAgentTexts()).toContain('You said: committed.');
  });

  it('a kill in the middle of an answer: the text so far stays, the error text follows, the conversation continues', async () => {
    const conversation = await converse();
    await lane.platform.crashAt('mid-stream');
    // However slow the storage is, the answer is not over when its first chunk is stored.
    await conversation.send('an answer that never ends, please');
    await until(async () => (await statusOf(conversation)) === 'sent', 'the message is stored');
    await lane.platform.ready();
    await conversation.send('and now?');
    const evidence = await conversation.settled();
    expect(await conversation.readAgentTexts()).toContain('You said: an answer that never ends, please.');
    expect(await conversation.readAgentTexts()).toContain('You said: and now?.');
    const types = typesOf(evidence);
    expect(types.filter((type) => type === 'SYSTEM_MESSAGE')).toHaveLength(1);
    expect(types.filter((type) => type === 'USER_MESSAGE')).toHaveLength(2);
  });

  it('a kill in the middle of a replay: the client reconnects with its cursor and reads the rest', async () => {
    const conversation = await converse();
    // More than one page of 200 events. How many chunks an answer has depends on how fast it can be stored.
    let stored = 0;
    while (stored <= 250) {
      for (let count = 0; count < 12; count++) await conversation.send(`message ${count} with words enough`);
      await conversation.send('tell me a long story');
      const { logs } = await conversation.settled();
      const { length } = logs[0]?.events ?? [];
      expect(length, 'the log grows with every message').toBeGreaterThan(stored);
      stored = length;
    }
    await lane.platform.crashAt('mid-replay', 1);
    await conversation.tab.reload();
    const startsBefore = lane.platform.starts;
    await until(() => lane.platform.starts > startsBefore, 'the platform has started again');
    await conversation.settled();
    const { frames } = await conversation.tab.trace();
    const cursors = frames.filter((frame) => frame.includes('EVENT_BATCH'));
    expect(cursors.length).toBeGreaterThan(2);
  });

  it('a kill at any time: messages written during the outage wait, and arrive', async () => {
    const conversation = await converse();
    await conversation.send('first');
    await conversation.settled();
    lane.platform.kill();
    for (let count = 0; count < 5; count++) await conversation.send(`during the outage ${count}`);
    await conversation.settled();
    for (let count = 0; count < 5; count++) {
      expect(await conversation.readAgentTexts()).toContain(`You said: during the outage ${count}.`);
    }
  });
});

describe('a graceful shutdown', () => {
  it('a graceful shutdown with 1001 loses no text of a running answer', async () => {
    const conversation = await converse();
    await conversation.send('one');
    await conversation.send('two');
    const restarted = lane.platform.restart();
    await conversation.send('three');
    await restarted;
    const evidence = await conversation.settled();
    for (const text of ['one', 'two', 'three'])
      expect(await conversation.readAgentTexts()).toContain(`You said: ${text}.`);
    expect(typesOf(evidence)).not.toContain('SYSTEM_MESSAGE');
  });
});

describe('a reader that is too slow', () => {
  let realTimeLane: Lane;
  beforeAll(async () => {
    realTimeLane = await startLane({
      // By a fast clock, client and platform could give up the silent socket before a slow machine has filled it.
      speed: 1,
      // A slow reader is given up sooner than by default, so that the test need not move many megabytes.
      limits: { maxBufferedBytes: 262_144 },
    });
  });
  afterAll(async () => {
    await realTimeLane?.close();
  });

  it('a reader that is too slow is disconnected, resumes from its cursor and receives everything', async () => {
    const conversation = await converse(realTimeLane);
    const [socketLink] = realTimeLane.visitorLinks;
    socketLink?.setConditions({ stalled: 'toClient' });
    await conversation.send('big answer');
    await until(
      () => realTimeLane.platform.output.some((line) => line.includes('slow reader')),
      'the platform gave up on it',
    );
    socketLink?.heal();
    await conversation.settled();
    expect((await conversation.readAgentTexts()).length).toBeGreaterThan(4_000_000);
  });
});
