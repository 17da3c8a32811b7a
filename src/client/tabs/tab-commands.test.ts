import { afterEach, describe, expect, it } from 'vitest';
import { isOpen, sentTypes, settle, trackHarnesses, until } from '../../../test/chat-harness.ts';
import { type Tab, tabsOf } from '../../../test/shared-tabs.ts';
import type { TabCommand } from '../commands.ts';
import { STATE_VERSION } from '../conversation/conversation-state.ts';
import type { FollowerMessage } from './tab-messages.ts';

const { harness } = trackHarnesses(afterEach);
const { pair, three } = tabsOf(harness);

/** Delivers commands to a tab as if another one had posted them. */
function deliver({ tab }: Tab, ...commands: readonly TabCommand[]): void {
  const message: FollowerMessage = { version: STATE_VERSION, applied: 0, commands };
  for (const { hear } of tab.channels) hear(message);
}

/** Blocks all channel messages to the tab until the returned function is called. */
function deafen({ tab }: Tab): () => void {
  const channels = [...tab.channels];
  tab.channels.clear();
  return () => {
    for (const channel of channels) tab.channels.add(channel);
  };
}

const written = (id: string, text: string): TabCommand => ({
  id,
  action: {
    type: 'written',
    localId: `draft of ${id}`,
    event: { type: 'EVENT_TYPE_USER_MESSAGE', payload: { text }, custom: null },
  },
});

describe('a leader that dies with commands it has not acknowledged', () => {
  it("executes a dead leader's unacknowledged commands once in the next one", async () => {
    const [first, second, third] = await three();
    first.tab.freeze();
    third.chat.send('Of the third');
    second.chat.send('Of the second');
    await settle();
    expect(first.platform.session.userTexts).toEqual([]);
    first.tab.crash();
    for (const { lines } of [second, third])
      await until(() => lines().filter((line) => /^user: Of the \w+$/.test(line)).length === 2);
    await settle();
    expect(first.platform.session.userTexts.toSorted()).toEqual(['Of the second', 'Of the third']);
  });

  it("executes a dead leader's commands in the order in which a tab sent them", async () => {
    const [first, , third] = await three();
    first.tab.freeze();
    for (const text of ['one', 'two', 'three']) third.chat.send(text);
    await settle();
    first.tab.crash();
    await until(() => third.lines().at(-1) === 'user: three');
    expect(first.platform.session.userTexts).toEqual(['one', 'two', 'three']);
  });

  it("does not repeat a dead leader's completed commands", async () => {
    const [first, second] = await pair();
    const listen = deafen(second);
    second.chat.send('Done already');
    await until(() => first.lines().at(-1) === 'user: Done already');
    expect(second.lines().at(-1)).toBe('user: Done already (pending)');
    first.tab.crash();
    listen();
    await until(() => second.lines().at(-1) === 'user: Done already');
    await settle();
    expect(first.platform.session.userTexts).toEqual(['Done already']);
  });

  it('ends the chat in the next leader when the first one died', async () => {
    const [first, second] = await pair();
    first.tab.freeze();
    const ended = second.chat.endChat();
    await settle();
    first.tab.crash();
    await until(() => isOpen(second) || second.chat.session.value.status === 'ended');
    await ended;
    expect(sentTypes(first).filter((type) => type === 'USER_END_SESSION').length).toBeLessThanOrEqual(1);
    expect(second.chat.session.value).toEqual({ status: 'ended', by: 'user' });
  });

  it('logs out in the next leader when the first one died', async () => {
    const [first, second] = await pair();
    second.chat.send('My number is 42');
    await until(() => second.lines().at(-1) === 'user: My number is 42' && first.storage.values.size === 1);
    await second.chat.endChat();
    first.tab.freeze();
    const loggedOut = second.chat.logout();
    await settle();
    expect(second.lines()).toEqual([]);
    first.tab.crash();
    await loggedOut;
    await until(() => first.storage.values.size === 0);
    expect(second.lines()).toEqual([]);
  });
});

describe('a leader that dies with a command it has executed', () => {
  it('continues the new conversation of a dead leader', async () => {
    const [first, second] = await pair();
    await second.chat.endChat();
    await until(() => first.chat.session.value.status === 'ended');
    const listen = deafen(second);
    await second.chat.newChat();
    await until(() => first.platform.sessions.length === 2 && isOpen(first));
    first.chat.send('In the new one');
    await until(() => first.lines().at(-1) === 'user: In the new one' && first.storage.values.size === 1);
    first.tab.crash();
    listen();
    await until(() => second.lines().at(-1) === 'user: In the new one');
    second.chat.send('From the next leader');
    await until(() => second.lines().at(-1) === 'user: From the next leader');
    expect(first.platform.sessions).toHaveLength(2);
    expect(first.platform.session.userTexts).toEqual(['In the new one', 'From the next leader']);
  });

  it("keeps the owner of a dead leader's new conversation", async () => {
    const [first, second] = await pair();
    await second.chat.claim('ada');
    second.chat.send('Of Ada');
    await until(() => second.lines().at(-1) === 'user: Of Ada' && first.storage.values.size === 1);
    const listen = deafen(second);
    const owner = await second.chat.claim('bea');
    await until(() => first.platform.sessions.length === 2 && isOpen(first));
    first.chat.send('Of Bea');
    await until(() => first.lines().at(-1) === 'user: Of Bea' && first.storage.values.size === 1);
    first.tab.crash();
    listen();
    await until(() => second.lines().at(-1) === 'user: Of Bea');
    expect(second.lines()).not.toContain('user: Of Ada');
    expect(second.chat.currentSession().owner).toBe(owner);
    expect(first.platform.sessions).toHaveLength(2);
  });
});

describe('a leader that dies', () => {
  it("keeps the conversation if the dead leader's command did not start another one", async () => {
    const [first, second] = await pair();
    second.chat.send('Used');
    await until(() => second.lines().at(-1) === 'user: Used' && first.storage.values.size === 1);
    second.chat.setUnsent('Half a thought');
    const listen = deafen(second);
    const owner = await second.chat.claim('ada');
    await until(() => first.chat.currentSession().owner === owner);
    await settle();
    first.tab.crash();
    listen();
    await until(() => first.platform.handshakes.length === 2 && isOpen(second));
    expect(second.chat.unsent.value).toBe('Half a thought');
    expect(second.chat.currentSession().owner).toBe(owner);
    expect(first.platform.sessions).toHaveLength(1);
  });

  it('executes no command in a tab that is suspended before it has read the storage', async () => {
    const [first, second] = await pair();
    await second.chat.endChat();
    await until(() => first.chat.session.value.status === 'ended');
    first.tab.freeze();
    await second.chat.newChat();
    const { storage } = second;
    const get = storage.get.bind(storage);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isAsked = false;
    storage.get = async (key) => {
      isAsked = true;
      await held;
      return get(key);
    };
    first.tab.crash();
    await until(() => isAsked);
    second.device.say('suspended');
    release();
    await settle();
    expect(first.platform.sessions).toHaveLength(1);
  });
});

describe('a command that comes twice', () => {
  it('executes a command once that arrives twice', async () => {
    const [first, second] = await pair();
    deliver(first, written('a', 'Once'));
    deliver(first, written('a', 'Once'), written('b', 'Twice'));
    await until(() => second.lines().at(-1) === 'user: Twice');
    expect(first.platform.session.userTexts).toEqual(['Once', 'Twice']);
    const newChat: TabCommand = { id: 'c', action: { type: 'session_left', isLogout: false } };
    for (let time = 0; time < 3; time++) deliver(first, newChat);
    await until(() => first.platform.sessions.length === 2 && isOpen(first));
    deliver(first, newChat);
    await settle();
    expect(first.platform.sessions).toHaveLength(2);
  });

  it('executes a command once even if the second leader receives it again', async () => {
    const [first, second] = await pair();
    const newChat: TabCommand = { id: 'a', action: { type: 'session_left', isLogout: false } };
    deliver(first, newChat);
    await until(() => first.platform.sessions.length === 2 && isOpen(second));
    await until(() => second.lines().includes('agent: Hello'));
    await settle();
    first.tab.crash();
    await until(() => first.platform.handshakes.length === 3 && isOpen(second));
    deliver(second, newChat);
    await settle();
    expect(first.platform.sessions).toHaveLength(2);
    expect(second.lines()).toContain('agent: Hello');
  });
});

it("sends a follower's commands with every message until they are acknowledged", async () => {
  const [first, second] = await pair();
  const { browser } = first.tab;
  first.tab.freeze();
  const before = browser.messages.length;
  second.chat.send('Again and again');
  second.device.setVisible(true);
  const posted = browser.messages.slice(before);
  expect(posted.length).toBeGreaterThan(1);
  for (const message of posted) expect(message).toContain('Again and again');
  first.tab.thaw();
  await until(() => second.lines().at(-1) === 'user: Again and again');
  const after = browser.messages.length;
  second.device.setVisible(true);
  expect(browser.messages.slice(after).join()).not.toContain('Again and again');
  expect(first.platform.session.userTexts).toEqual(['Again and again']);
});
