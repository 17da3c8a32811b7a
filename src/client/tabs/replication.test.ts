import { afterEach, describe, expect, it } from 'vitest';
import { isOpen, settle, trackHarnesses, until } from '../../../test/chat-harness.ts';
import { FakeBrowser, FakeTab } from '../../../test/fake-browser.ts';
import { browserOf, socketsOf, type Tab, tabsOf } from '../../../test/shared-tabs.ts';
import { NEW_CONVERSATION, STATE_VERSION } from '../conversation/conversation-state.ts';
import { createDraft } from '../conversation/outbox/transition.ts';
import { EMPTY_ASSEMBLY } from '../conversation/transcript/assemble-chunks.ts';
import { UNKNOWN_AGENT } from '../conversation/transcript/presence.ts';
import { EMPTY_TRANSCRIPT } from '../conversation/transcript/transcript-state.ts';

const { harness } = trackHarnesses(afterEach);
const { openNext, pair } = tabsOf(harness);

/** Sends a message in chunks, all at once. */
function stream({ platform }: Tab, messageId: string, count: number): string {
  const words = Array.from({ length: count }, (_, index) => `word ${index} `);
  for (const [index, text] of words.entries())
    platform.session.emit('EVENT_TYPE_AGENT_MESSAGE_CHUNK', {
      message_id: messageId,
      chunk_index: index + 1,
      text,
      is_complete: index === count - 1,
    });
  return words.join('');
}

/** Measures the channel traffic for a message in `count` chunks. */
async function costOf(count: number): Promise<{ messages: readonly string[]; bytes: number }> {
  const [first, second] = await pair();
  await settle();
  const { messages } = browserOf(first);
  const before = messages.length;
  const text = stream(first, 'long', count);
  await until(() => second.lines().at(-1) === `agent: ${text}`, 'the follower shows all of the message');
  expect(second.lines()).toEqual(first.lines());
  const posted = messages.slice(before);
  return { messages: posted, bytes: posted.join('').length };
}

describe('a message in 2,000 pieces', () => {
  it('sends a follower one small patch per chunk, and no snapshot', async () => {
    const { messages } = await costOf(2_000);
    expect(messages.length).toBeLessThanOrEqual(2_010);
    expect(messages.filter((message) => message.includes('"state"'))).toEqual([]);
    // The last one completes the message and contains all of it.
    const pieces = messages.slice(0, 1_990).map(({ length }) => length);
    expect(Math.max(...pieces)).toBeLessThan(1_500);
  });

  it('sends at most 2.5 times the bytes for twice as many chunks', async () => {
    const [half, whole] = [await costOf(1_000), await costOf(2_000)];
    expect(whole.bytes).toBeLessThan(2.5 * half.bytes);
  });

  it('continues a streamed message in the next leader when the previous one crashed', async () => {
    const [first, second] = await pair();
    const { session } = first.platform;
    const piece = (index: number, isLast = false) =>
      session.emit('EVENT_TYPE_AGENT_MESSAGE_CHUNK', {
        message_id: 'm',
        chunk_index: index,
        text: `${index} `,
        is_complete: isLast,
      });
    piece(1);
    piece(2);
    await until(() => second.lines().at(-1) === 'agent: 1 2 …');
    first.tab.crash();
    piece(3);
    piece(4, true);
    await until(() => second.lines().at(-1) === 'agent: 1 2 3 4 ');
  });
});

it('sends a long conversation to the first follower once', async () => {
  const browser = new FakeBrowser();
  const tabs: Tab[] = [];
  const first = await openNext(tabs, browser);
  await until(() => first.lines().includes('agent: Hello'));
  first.platform.session.say('Long before the second tab');
  await until(() => first.lines().at(-1) === 'agent: Long before the second tab');
  const before = browser.messages.length;
  const second = await openNext(tabs, browser);
  await until(() => second.lines().at(-1) === 'agent: Long before the second tab');
  await settle();
  const copies = browser.messages.slice(before).filter((message) => message.includes('Long before'));
  expect(copies).toHaveLength(1);
});

it('does not replicate an action without effect', async () => {
  const [first, second] = await pair();
  await settle();
  const { messages } = browserOf(first);
  const before = messages.length;
  second.chat.notifyTyping();
  second.chat.discard('no draft of this name');
  await until(() => first.platform.session.received.at(-1)?.type === 'EVENT_TYPE_USER_TYPING');
  await settle();
  const patches = messages.slice(before).filter((message) => message.includes('"patch"'));
  // Acknowledges the single command.
  expect(patches).toEqual([expect.stringContaining('"handledCommands"')]);
});

it('sends one snapshot to a follower that missed a patch, and patches from there', async () => {
  const [first, second] = await pair();
  const channels = [...second.tab.channels];
  second.tab.channels.clear();
  first.platform.session.say('Missed');
  await until(() => first.lines().at(-1) === 'agent: Missed');
  await settle();
  for (const channel of channels) second.tab.channels.add(channel);
  const { messages } = browserOf(first);
  const before = messages.length;
  first.platform.session.say('Heard');
  await until(() => second.lines().at(-1) === 'agent: Heard');
  first.platform.session.say('Heard as well');
  await until(() => second.lines().at(-1) === 'agent: Heard as well');
  expect(second.lines()).toEqual(first.lines());
  expect(messages.slice(before).filter((message) => message.includes('"state"'))).toHaveLength(1);
});

/** A tab with a page of the next release, whose names and messages have another version. */
class NextReleaseTab extends FakeTab {
  override lock(...[name, options, hold]: Parameters<FakeTab['lock']>): Promise<void> {
    return super.lock(ofNextRelease(name), options, hold);
  }
  override openChannel(
    ...[name, hear]: Parameters<FakeTab['openChannel']>
  ): ReturnType<FakeTab['openChannel']> {
    return super.openChannel(ofNextRelease(name), hear);
  }
}

const ofNextRelease = (name: string): string => {
  expect(name).toMatch(new RegExp(`:${STATE_VERSION}$`));
  return name.replace(/\d+$/, `${STATE_VERSION + 1}`);
};

describe('tabs with two releases of the widget', () => {
  it('gives each release its own leader among tabs of two releases, with the same view', async () => {
    const browser = new FakeBrowser();
    const tabs: Tab[] = [];
    const first = await openNext(tabs, browser);
    await until(() => first.lines().includes('agent: Hello'));
    first.chat.send('Of the first release');
    await until(
      () => first.lines().at(-1) === 'user: Of the first release' && first.storage.values.size === 1,
    );
    const next = await openNext(tabs, browser, {}, {}, browser.adopt(new NextReleaseTab(browser)));
    await until(() => isOpen(next) && next.lines().at(-1) === 'user: Of the first release');
    expect([socketsOf(first), first.platform.sessions.length]).toEqual([2, 1]);
    const later = await openNext(tabs, browser, {}, {}, browser.adopt(new NextReleaseTab(browser)));
    later.chat.send('Of the next release');
    for (const { lines } of tabs) await until(() => lines().at(-1) === 'user: Of the next release');
    first.platform.session.say('To all');
    for (const { lines } of tabs) await until(() => lines().at(-1) === 'agent: To all');
    expect(first.platform.session.userTexts).toEqual(['Of the first release', 'Of the next release']);
    expect(socketsOf(first)).toBe(2);
    first.tab.crash();
    next.chat.send('After');
    for (const { lines } of [next, later]) await until(() => lines().at(-1) === 'user: After');
  });
});

it('changes the version with every change of the replicated state', () => {
  const draft = createDraft({
    localId: '',
    event: { type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: '' }, custom: null },
    createdAtMs: 0,
    afterSequence: 0,
  });
  const { seen } = EMPTY_TRANSCRIPT;
  const parts = [NEW_CONVERSATION, EMPTY_TRANSCRIPT, EMPTY_ASSEMBLY, seen, UNKNOWN_AGENT, draft];
  expect([STATE_VERSION, ...parts.map((part) => Object.keys(part).join(' '))]).toEqual([
    14,
    'transcript liveAtMs isLive joinAtMs recoveries isRecovering lookupFailures hasUserEnded outcome closeAtMs sessionId outbox vocabulary offers owner visitors connection lostAtMs hasLostConnection connectionCount isResumed lastActivityMs handledCommands',
    'cursor seen arrivals entries isBatching assembly positions presence hasAgentJoined missingAgent ended lastActivitySequence typing queue survey capabilities extensions isWaitingForPerson contextId unread',
    'open closed',
    'shared indexes size',
    'kind id name avatarUrl',
    'localId event createdAtMs afterSequence delivery sinceMs sentAtMs sentOnConnection isHeld',
  ]);
});
