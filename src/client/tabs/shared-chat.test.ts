import { afterEach, describe, expect, it } from 'vitest';
import { isOpen, settle, trackHarnesses, until } from '../../../test/chat-harness.ts';
import { FakeBrowser } from '../../../test/fake-browser.ts';
import type { FakePlatformOptions } from '../../../test/fake-platform.ts';
import { browserOf, socketsOf, type Tab, tabsOf } from '../../../test/shared-tabs.ts';
import { STATE_VERSION } from '../conversation/conversation-state.ts';

const { harness } = trackHarnesses(afterEach);

const { openNext, openTabs, pair, three } = tabsOf(harness);

describe('tabs of one browser', () => {
  it('shares one socket and one view between tabs', async () => {
    const tabs = await openTabs(12);
    for (const [index, { chat }] of tabs.entries()) chat.send(`from tab ${index}`);
    for (const { lines } of tabs)
      await until(() => lines().filter((line) => /user: /.test(line)).length === 12);
    const [first] = tabs;
    if (!first) throw new Error('There is no tab.');
    await until(() => first.platform.session.userTexts.length === 12);
    expect(first.platform.handshakes).toHaveLength(1);
    expect(first.platform.sessions).toHaveLength(1);
    expect(new Set(first.platform.session.userTexts).size).toBe(12);
    first.platform.session.say('To all');
    for (const { lines, chat } of tabs) {
      await until(() => lines().at(-1) === 'agent: To all');
      expect(lines()).toEqual(first.lines());
      expect(chat.connection.value).toEqual({ status: 'open' });
      expect(chat.session.value).toEqual({ status: 'active' });
    }
  });

  it('copies nothing to the channel while there is one tab', async () => {
    const browser = new FakeBrowser();
    const tabs: Tab[] = [];
    const first = await openNext(tabs, browser);
    await until(() => first.lines().includes('agent: Hello'));
    const alone = browser.messages.length;
    first.platform.session.say('Unheard');
    await until(() => first.lines().at(-1) === 'agent: Unheard');
    expect(browser.messages).toHaveLength(alone);
    const second = await openNext(tabs, browser);
    await until(() => second.lines().at(-1) === 'agent: Unheard');
    first.platform.session.say('Heard');
    await until(() => second.lines().at(-1) === 'agent: Heard');
  });

  it('receives the whole state from a new leader', async () => {
    const [first, second, third] = await three();
    first.tab.crash();
    await until(() => first.platform.handshakes.length === 2);
    first.platform.session.say('After');
    await until(() => [second, third].every(({ lines }) => lines().at(-1) === 'agent: After'));
  });

  it('shows a message at once in the tab it was written in', async () => {
    const [, second] = await pair({ echoes: false });
    second.chat.send('At once');
    expect(second.lines().at(-1)).toBe('user: At once (pending)');
  });

  it('shares the read state between tabs, and reports typing to the platform', async () => {
    const [first, second] = await pair();
    first.platform.session.say('News');
    await until(() => first.chat.unread.value === 2 && second.chat.unread.value === 2);
    second.chat.markRead();
    await until(() => first.chat.unread.value === 0 && second.chat.unread.value === 0);
    second.chat.notifyTyping();
    await until(() => first.platform.session.received.at(-1)?.type === 'EVENT_TYPE_USER_TYPING');
  });

  it('shares failed messages, their retry and their removal between tabs', async () => {
    const [first, second] = await pair({ capabilities: { max_message_size_bytes: 300 } });
    second.chat.send('x'.repeat(400));
    await until(() => first.lines().at(-1)?.endsWith('(failed)') ?? false);
    const entry = first.chat.messages.value.at(-1)?.value;
    if (entry?.kind !== 'user' || entry.localId === null) throw new Error('The draft is missing.');
    second.chat.discard(entry.localId);
    await until(() => first.lines().at(-1) === 'agent: Hello' && second.lines().at(-1) === 'agent: Hello');
  });

  it("delivers a new tab's messages in the order of writing", async () => {
    const [first] = await openTabs(1);
    if (!first) throw new Error('There is no tab.');
    const tab = browserOf(first).openTab();
    const second = harness({}, {}, first, tab);
    const started = second.chat.start();
    second.chat.send('Before it is one of the tabs');
    await started;
    second.chat.send('Before it knows the conversation');
    await until(() => first.platform.session.userTexts.length === 2);
    expect(first.platform.session.userTexts).toEqual([
      'Before it is one of the tabs',
      'Before it knows the conversation',
    ]);
  });

  it('reconnects an abandoned connection for a message in any tab', async () => {
    const [first, second] = await pair({ capabilities: { max_reconnect_attempts: 1 } });
    first.platform.isDown = true;
    first.platform.session.drop();
    await until(() => first.chat.connection.value.status === 'reconnecting');
    first.clock.advance(1_000);
    await until(() => second.chat.connection.value.status === 'failed');
    first.platform.isDown = false;
    second.chat.send('From the other tab');
    await until(() => second.lines().at(-1) === 'user: From the other tab');
    expect(first.platform.session.userTexts).toEqual(['From the other tab']);
  });

  it('ends the chat and starts another in all tabs together', async () => {
    const [first, second] = await pair();
    await second.chat.endChat();
    expect(second.chat.session.value).toEqual({ status: 'ended', by: 'user' });
    await until(() => first.chat.session.value.status === 'ended');
    await second.chat.newChat();
    await until(() => first.platform.handshakes.length === 2);
    await until(() => [first, second].every(({ lines }) => lines().includes('agent: Hello')));
    expect(second.lines()).toEqual(first.lines());
    expect(first.platform.handshakes).toHaveLength(2);
  });

  it('sends no access token to other tabs', async () => {
    const [first, second] = await pair();
    second.chat.send('x');
    await until(() => first.lines().at(-1) === 'user: x');
    const said = browserOf(first).messages.join('\n');
    expect(said).toContain('Hello');
    expect(said).not.toContain(first.platform.session.token.split('.')[2]);
  });

  it('stores nothing before the first message in any tab', async () => {
    const [first, second] = await pair();
    first.chat.destroy();
    await until(() => isOpen(second));
    expect(first.storage.values.size).toBe(0);
    expect(first.platform.sessions).toHaveLength(1);
  });
});

describe('what stands in the composer', () => {
  const unsent = (tabs: readonly Tab[]): readonly string[] => tabs.map(({ chat }) => chat.unsent.value);

  it("keeps the composer's text in its own tab, before and after sending", async () => {
    const tabs = await openTabs(3);
    const [first, second, third] = tabs;
    if (!first || !second || !third) throw new Error('Three tabs were asked for.');
    second.chat.setUnsent('H');
    third.chat.setUnsent('Something else');
    second.chat.setUnsent('Half a thought');
    await settle();
    expect(unsent(tabs)).toEqual(['', 'Half a thought', 'Something else']);
    const late = await openNext(tabs, browserOf(first));
    second.chat.send('Half a thought');
    second.chat.setUnsent('');
    await until(() => late.lines().includes('user: Half a thought'));
    await settle();
    expect(unsent(tabs)).toEqual(['', '', 'Something else', '']);
    expect(browserOf(first).messages.join()).not.toContain('Something else');
  });

  it('keeps composer text written before the tab knew the conversation', async () => {
    const [first] = await openTabs(1);
    if (!first) throw new Error('There is no tab.');
    await first.chat.claim('ada');
    await first.chat.claim('bo');
    await until(() => first.platform.sessions.length === 2 && isOpen(first));
    const second = harness({}, {}, first, browserOf(first).openTab());
    second.chat.setUnsent('Written early');
    await second.chat.start();
    await until(() => second.lines().includes('agent: Hello'));
    expect(second.chat.unsent.value).toBe('Written early');
  });

  it.each(['closed', 'crashed'])('keeps composer text when the tab with the socket is %s', async (how) => {
    const [first, second] = await pair();
    first.chat.setUnsent('Theirs');
    second.chat.setUnsent('Half a thought');
    if (how === 'closed') first.chat.destroy();
    else first.tab.crash();
    await until(() => socketsOf(second) > 0 && first.platform.handshakes.length === 2 && isOpen(second));
    expect(second.chat.unsent.value).toBe('Half a thought');
  });

  it('keeps composer text over the end of a conversation into the next one', async () => {
    const [first, second] = await pair();
    first.chat.setUnsent('Another thing');
    second.chat.setUnsent('One more thing');
    await first.chat.newChat();
    await until(() => first.platform.sessions.length === 2 && second.lines().includes('agent: Hello'));
    expect(unsent([first, second])).toEqual(['Another thing', 'One more thing']);
  });

  it('removes composer text on logout, and for another visitor', async () => {
    const [first, second] = await pair();
    await first.chat.claim('ada');
    first.chat.setUnsent('Mine');
    second.chat.setUnsent('Mine as well');
    await first.chat.claim('bo');
    await until(() => unsent([first, second]).every((text) => text === ''));
    first.chat.setUnsent('Bo’s');
    second.chat.setUnsent('Bo’s as well');
    await second.chat.logout();
    await until(() => unsent([first, second]).every((text) => text === ''));
  });

  it('does not store composer text of a shared conversation, before and after the first message', async () => {
    const [first, second] = await pair();
    second.chat.setUnsent('Half a thought');
    first.chat.setUnsent('Half a thought');
    await settle();
    expect(first.storage.writes).toBe(0);
    second.chat.send('Stored');
    await until(() => second.lines().at(-1) === 'user: Stored' && first.storage.values.size === 1);
    first.chat.setUnsent('Half a thought more');
    await settle();
    expect(JSON.stringify([...first.storage.values])).not.toContain('Half a thought');
  });
});

describe('the channel of the tabs', () => {
  it.each([
    null,
    undefined,
    42,
    'follower',
    true,
    [[]],
    {},
    { version: STATE_VERSION },
    { version: STATE_VERSION, applied: 'x', commands: [] },
    { version: STATE_VERSION, applied: 0 },
    { version: STATE_VERSION, applied: 0, commands: 'written' },
    { version: STATE_VERSION, applied: 0, commands: ['written'] },
    { version: STATE_VERSION, applied: 0, commands: [], notice: 'reconnect' },
    { version: STATE_VERSION, term: 1e16 },
    { version: STATE_VERSION, term: 1e16, sequence: 0, state: 5 },
    { version: STATE_VERSION, term: 1e16, sequence: 0, patch: 'x' },
    { version: STATE_VERSION + 1, term: 1e16, sequence: 0, state: {} },
  ])('ignores %j, which is not a message of a tab', async (junk) => {
    const [first, second] = await pair();
    for (const { tab } of [first, second])
      for (const { hear } of tab.channels) expect(() => hear(junk)).not.toThrow();
    second.chat.send('Still here');
    await until(() => first.lines().includes('user: Still here'));
  });
});

describe('when the tab with the socket goes', () => {
  it('continues from the shared cursor in the next tab, and misses nothing', async () => {
    const [first, second] = await pair();
    second.chat.send('Before');
    await until(() => second.lines().at(-1) === 'user: Before');
    first.chat.destroy();
    first.platform.session.say('In between');
    await until(() => second.lines().at(-1) === 'agent: In between');
    expect(second.lines()).toEqual(['* agent_joined', 'agent: Hello', 'user: Before', 'agent: In between']);
    expect(first.platform.handshakes.at(-1)?.cursor).toBe('5');
    expect(socketsOf(second)).toBe(1);
    expect(first.platform.calls.at(-1)?.path).toBe('/v1/resume');
  });

  it.each(['closed', 'crashed'])('delivers a message in flight once: %s', async (how) => {
    const [first, second] = await pair();
    first.platform.options = { ...first.platform.options, hears: false };
    second.chat.send('Under way');
    await until(() => first.lines().at(-1) === 'user: Under way (pending)');
    if (how === 'closed') first.chat.destroy();
    else first.tab.crash();
    first.platform.session.drop();
    first.platform.options = { ...first.platform.options, hears: true };
    await until(() => second.lines().at(-1) === 'user: Under way');
    expect(first.platform.session.userTexts).toEqual(['Under way']);
  });

  it('delivers unconfirmed messages of both tabs once, in order', async () => {
    const [first, second] = await pair();
    first.platform.options = { ...first.platform.options, hears: false };
    first.chat.send('Of the tab that goes');
    second.chat.send('Of the tab that stays');
    await until(() => second.lines().length === 4 && first.lines().length === 4);
    first.tab.crash();
    first.platform.session.drop();
    first.platform.options = { ...first.platform.options, hears: true };
    await until(() => second.lines().at(-1) === 'user: Of the tab that stays');
    expect(first.platform.session.userTexts).toEqual(['Of the tab that goes', 'Of the tab that stays']);
    expect(second.lines()).toEqual([
      '* agent_joined',
      'agent: Hello',
      'user: Of the tab that goes',
      'user: Of the tab that stays',
    ]);
  });

  it('returns as a follower when the leading tab was suspended', async () => {
    const [first, second] = await pair();
    first.device.say('suspended');
    await until(() => isOpen(second) && socketsOf(second) === 1 && first.platform.handshakes.length === 2);
    second.chat.send('Meanwhile');
    await until(() => second.lines().at(-1) === 'user: Meanwhile');
    first.device.say('resumed');
    await until(() => first.lines().at(-1) === 'user: Meanwhile');
    first.chat.send('Back');
    await until(() => second.lines().at(-1) === 'user: Back');
    expect(first.platform.handshakes).toHaveLength(2);
  });

  it('elects another remaining tab as often as necessary', async () => {
    const tabs = await openTabs(5);
    while (tabs.length > 1) {
      tabs.shift()?.chat.destroy();
      const [next] = tabs;
      if (!next) break;
      await until(() => socketsOf(next) === 1);
      const text = `${tabs.length} are left`;
      tabs.at(-1)?.chat.send(text);
      for (const { lines } of tabs) await until(() => lines().at(-1) === `user: ${text}`);
    }
    expect(tabs[0]?.platform.session.userTexts).toHaveLength(4);
    expect(tabs[0]?.platform.sessions).toHaveLength(1);
  });
});

/** Advances time in small steps, handling events in between. */
async function live({ clock }: Tab, ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 100) {
    clock.advance(100);
    await settle();
  }
}

describe('when the tab with the socket is frozen', () => {
  it('takes over from a frozen leader within 2 s in a visible tab, and misses nothing', async () => {
    const [first, second] = await pair();
    first.tab.freeze();
    first.platform.session.say('Deaf to this');
    second.chat.send('Written meanwhile');
    expect(second.lines().at(-1)).toBe('user: Written meanwhile (pending)');
    await live(first, 2_000);
    expect(second.lines()).toEqual([
      '* agent_joined',
      'agent: Hello',
      'agent: Deaf to this',
      'user: Written meanwhile',
    ]);
    expect(first.platform.session.userTexts).toEqual(['Written meanwhile']);
  });

  /** Opens the next page of a tab whose page was unloaded. */
  async function goOn(gone: Tab): Promise<Tab> {
    const { platform, clock, storage, tabStorage } = gone;
    const tab = browserOf(gone).openTab();
    const next = { ...harness({}, {}, { platform, clock, storage, tabStorage }, tab), tab };
    await next.chat.start();
    return next;
  }

  it("sends another tab's message once although the leader is frozen and its page is unloaded", async () => {
    const [first, second] = await pair();
    second.chat.send('Before');
    await until(() => [first, second].every(({ lines }) => lines().at(-1) === 'user: Before'));
    await until(() => second.storage.values.size === 1);
    first.tab.freeze();
    second.chat.send('In a hurry');
    await settle();
    expect(JSON.stringify([...second.tabStorage.values])).not.toContain('ticket-');
    second.tab.crash();
    const next = await goOn(second);
    await live(next, 2_000);
    await until(() => next.lines().at(-1) === 'user: In a hurry');
    first.tab.thaw();
    await live(next, 2_000);
    await until(() => first.lines().at(-1) === 'user: In a hurry');
    expect(next.platform.sessions.map(({ userTexts }) => userTexts)).toEqual([['Before', 'In a hurry']]);
    expect(next.tabStorage.values.size).toBe(0);
  });

  it('leaves the very first message to the visitor when its page is unloaded and its delivery is unknown', async () => {
    const [first, second] = await pair();
    first.tab.freeze();
    second.chat.send('In a hurry');
    await settle();
    second.tab.crash();
    const next = await goOn(second);
    await live(next, 2_000);
    await until(() => next.lines().includes('user: In a hurry (failed)'));
    expect(next.platform.sessions.flatMap(({ userTexts }) => userTexts)).toEqual([]);
  });

  it('turns a frozen leader into a follower without a socket when it resumes', async () => {
    const [first, second] = await pair();
    first.tab.freeze();
    await live(first, 2_000);
    second.chat.send('While it slept');
    await until(() => second.lines().at(-1) === 'user: While it slept');
    first.tab.thaw();
    await until(() => first.lines().at(-1) === 'user: While it slept');
    await until(() => socketsOf(second) === 1);
    first.chat.send('Awake');
    await until(() => second.lines().at(-1) === 'user: Awake');
    expect(first.platform.session.userTexts).toEqual(['While it slept', 'Awake']);
    await live(first, 5_000);
    expect(first.platform.handshakes).toHaveLength(2);
  });

  it.each(['dead', 'open'])(
    'sends a message once that was written before the resumed leader notices: %s socket',
    async (how) => {
      const [first, second] = await pair();
      first.tab.freeze();
      await live(first, 2_000);
      expect(first.platform.handshakes).toHaveLength(2);
      if (how === 'dead') first.platform.session.drop();
      await settle();
      first.chat.send('Just awake');
      await settle();
      first.tab.thaw();
      await live(first, 2_000);
      const said = ['* agent_joined', 'agent: Hello', 'user: Just awake'];
      await until(() => [first, second].every(({ lines }) => lines().join() === said.join()));
      await live(first, 6_000);
      expect([first.lines(), second.lines()]).toEqual([said, said]);
      expect(first.platform.session.userTexts).toEqual(['Just awake']);
    },
  );

  it("returns the frozen leader's message to the composer if a repeat could send it twice", async () => {
    const options: FakePlatformOptions = { vocabulary: 'poly', isIdempotent: false };
    const [first, second] = await pair(options, { vocabulary: 'poly' });
    first.tab.freeze();
    await live(first, 2_000);
    expect(first.platform.handshakes).toHaveLength(2);
    first.platform.session.drop();
    await settle();
    first.chat.send('Just awake');
    first.chat.send('and back');
    first.chat.setUnsent('Half a th');
    await settle();
    first.tab.thaw();
    await live(first, 2_000);
    await until(() => first.chat.unsent.value === 'Just awake\nand back\nHalf a th');
    expect(second.chat.unsent.value).toBe('');
    await live(first, 6_000);
    expect(first.platform.session.userTexts).toEqual([]);
  });

  it('leaves an older message to the leading tab only', async () => {
    const options: FakePlatformOptions = { vocabulary: 'poly', isIdempotent: false };
    const [first, second] = await pair(options, { vocabulary: 'poly' });
    first.platform.options = { ...first.platform.options, hears: false };
    first.chat.send('Unconfirmed');
    await until(() => second.lines().at(-1) === 'user: Unconfirmed (pending)');
    first.tab.freeze();
    await live(first, 2_000);
    expect(first.platform.handshakes).toHaveLength(2);
    first.tab.thaw();
    await until(() => socketsOf(second) === 1 && first.lines().join() === second.lines().join());
    expect(first.chat.unsent.value).toBe('');
  });

  it('does not take over from a frozen leader in a hidden tab', async () => {
    const [first, second] = await pair();
    second.device.setVisible(false);
    first.tab.freeze();
    await live(first, 10_000);
    expect(first.platform.handshakes).toHaveLength(1);
    second.device.setVisible(true);
    await live(first, 2_000);
    expect(first.platform.handshakes).toHaveLength(2);
  });

  it('loads the conversation from storage in a new tab while the leader is frozen', async () => {
    const [first, second] = await pair();
    second.chat.send('Stored');
    await until(() => second.lines().at(-1) === 'user: Stored' && first.storage.values.size === 1);
    first.tab.freeze();
    second.device.setVisible(false);
    const third = await openNext([first, second], browserOf(first));
    await live(first, 2_000);
    await until(() => third.lines().at(-1) === 'user: Stored');
    second.chat.send('Known to all');
    await until(() => third.lines().at(-1) === 'user: Known to all');
    await until(() => second.lines().at(-1) === 'user: Known to all');
    expect(first.platform.sessions).toHaveLength(1);
  });
});

describe('a tab that has missed something', () => {
  it('requests the whole state in a tab that has missed a patch', async () => {
    const [first, second] = await pair();
    const channels = [...second.tab.channels];
    second.tab.channels.clear();
    first.platform.session.say('Unheard');
    await until(() => first.lines().at(-1) === 'agent: Unheard');
    await settle();
    for (const channel of channels) second.tab.channels.add(channel);
    expect(second.lines()).not.toContain('agent: Unheard');
    first.platform.session.say('Heard');
    await until(() => second.lines().at(-1) === 'agent: Heard');
    expect(second.lines()).toEqual(first.lines());
  });
});

describe('where tabs cannot be shared', () => {
  it('opens a socket per tab if tabs cannot be shared', async () => {
    const one = harness();
    await one.chat.start();
    one.chat.send('x');
    await until(() => one.lines().at(-1) === 'user: x' && one.storage.values.size === 1);
    const other = harness({}, {}, one);
    await other.chat.start();
    await until(() => other.lines().at(-1) === 'user: x');
    expect(one.platform.session.peers.size).toBe(2);
  });

  it('works alone if the page has no locks or no channels', async () => {
    const browser = new FakeBrowser();
    const lockless = browser.openTab();
    lockless.lock = () => Promise.reject(new DOMException('Denied.', 'SecurityError'));
    const mute = browser.openTab();
    mute.openChannel = () => {
      throw new DOMException('Denied.', 'SecurityError');
    };
    for (const tab of [lockless, mute]) {
      const one = harness({}, {}, {}, tab);
      await one.chat.start();
      await until(() => one.lines().includes('agent: Hello'));
    }
  });
});
