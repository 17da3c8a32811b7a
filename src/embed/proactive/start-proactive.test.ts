import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeLoader } from '../../../test/widget/fake-conversation.ts';
import type { ProactiveRule } from '../../widget/index.ts';
import { createLazyConversation } from '../conversation/lazy-conversation.ts';
import type { BubbleOptions } from '../launcher/bubble.ts';
import { createEmitter } from '../widget-events.ts';
import { startProactive } from './start-proactive.ts';
import type { WatchedPage } from './watch-page.ts';

const SLOW: ProactiveRule = { id: 'slow', text: 'Can we help?', afterSeconds: 20 };
const AT_ONCE: ProactiveRule = { id: 'at-once', text: 'Hello', afterSeconds: 0 };

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A page with a chat whose panel loads at once, and the messages it has shown. */
function openPage(
  proactive: readonly ProactiveRule[] | string,
  settings: Readonly<Record<string, unknown>> = {},
  language = 'en',
) {
  const state = {
    ...{ path: '/', scrollPercent: 0, isVisible: true, hasStarted: false },
    agentName: undefined as string | undefined,
  };
  let tell: ((isLeaving: boolean) => void) | undefined;
  const page: WatchedPage = {
    path: () => state.path,
    scrollPercent: () => state.scrollPercent,
    isVisible: () => state.isVisible,
    listen(onChange, signal) {
      tell = onChange;
      signal.addEventListener('abort', () => (tell = undefined));
    },
  };
  const shown: BubbleOptions[] = [];
  const updates: object[] = [];
  const life = new AbortController();
  const loader = createFakeLoader(true);
  const root = document.createElement('div').attachShadow({ mode: 'open' });
  const button = document.createElement('button');
  const frame = document.createElement('div');
  frame.className = 'frame';
  frame.lang = language;
  root.append(button, frame);
  const chat = createLazyConversation(
    async () => {
      const made = (await loader.load({}))(root, button, createEmitter(root));
      const showBubble = async (bubble: string | BubbleOptions) => void shown.push(bubble as BubbleOptions);
      return Object.assign(made, {
        showBubble,
        hasStarted: state.hasStarted,
        agentName: state.agentName,
      });
    },
    () => import('../loader/early.ts'),
    (changes) => updates.push(changes),
    life.signal,
  );
  const start = (rules: readonly ProactiveRule[] | string | undefined): void =>
    startProactive(chat, button, { ...settings, proactive: rules }, life, page);
  start(proactive);
  return {
    chat,
    life,
    button,
    shown,
    updates,
    start,
    countLoads: loader.countLoads,
    isWatching: () => tell !== undefined,
    /** Lets time pass, or triggers an event. */
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
    async change(changes: Partial<typeof state>, isLeaving = false): Promise<void> {
      Object.assign(state, changes);
      tell?.(isLeaving);
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

const texts = ({ shown }: { readonly shown: readonly BubbleOptions[] }) => shown.map(({ text }) => text);

describe('the watch of a page', () => {
  it('waits for the time on the page, loads the panel no sooner, and shows one message', async () => {
    const page = openPage([SLOW, { ...AT_ONCE, afterSeconds: 30 }]);
    await page.pass(19_999);
    expect([page.shown, page.countLoads()]).toEqual([[], 0]);
    await page.pass(1);
    expect([texts(page), page.isWatching()]).toEqual([['Can we help?'], false]);
    await page.pass(60_000);
    expect(texts(page)).toEqual(['Can we help?']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('begins the chat with the shown proactive message, on the next page too, but not with a dismissed one', async () => {
    const page = openPage([SLOW]);
    await page.pass(20_000);
    const begun = { opening: 'Can we help?' };
    expect(page.updates).toEqual([begun]);
    const next = openPage([SLOW]);
    await next.pass(0);
    expect([next.updates, next.shown]).toEqual([[begun], []]);
    page.shown[0]?.onDismiss?.();
    await page.pass(0);
    expect(page.updates.at(-1)).toEqual({ opening: undefined });
  });

  it.each([
    ['de', 'Können wir helfen?'],
    ['pt', 'Podemos ajudar?'],
    ['fr', 'Can we help?'],
  ])('says it in the language of the panel, %s, and in the same on the next page', async (language, text) => {
    const rule = { ...SLOW, texts: { de: 'Können wir helfen?', 'pt-BR': 'Podemos ajudar?' } };
    const page = openPage([rule], {}, language);
    await page.pass(20_000);
    expect([texts(page), page.updates]).toEqual([[text], [{ opening: text }]]);
    const next = openPage([rule]);
    await next.pass(0);
    expect(next.updates).toEqual([{ opening: text }]);
  });

  it('counts the time of each path', async () => {
    const page = openPage([{ ...SLOW, page: '/fares' }]);
    await page.pass(25_000);
    await page.change({ path: '/fares' });
    await page.pass(19_999);
    expect(page.shown).toEqual([]);
    await page.pass(1);
    expect(texts(page)).toEqual(['Can we help?']);
  });

  it('shows a proactive message when the page is scrolled', async () => {
    const page = openPage([{ id: 'half', text: 'Half way', scrollPercent: 50 }]);
    await page.change({ scrollPercent: 49 });
    expect(page.shown).toEqual([]);
    await page.change({ scrollPercent: 50 });
    expect(texts(page)).toEqual(['Half way']);
  });

  it('shows a proactive message when the pointer leaves the page', async () => {
    const page = openPage([{ id: 'exit', text: 'Before you go', exitIntent: true }]);
    await page.change({});
    expect(page.shown).toEqual([]);
    await page.change({}, true);
    expect(texts(page)).toEqual(['Before you go']);
  });

  it('shows no proactive message in a hidden tab, nor beside a hidden launcher', async () => {
    const page = openPage([{ ...SLOW, from: 'Ada' }]);
    await page.change({ isVisible: false });
    await page.pass(20_000);
    page.button.hidden = true;
    await page.change({ isVisible: true });
    expect([page.shown, page.countLoads()]).toEqual([[], 0]);
    page.button.hidden = false;
    await page.change({});
    expect(page.shown).toMatchObject([{ text: 'Can we help?', from: 'Ada' }]);
  });

  it('names the agent as the sender of a proactive message if the rule names none', async () => {
    const from = async (rule: ProactiveRule, agentName?: string) => {
      sessionStorage.clear();
      const page = openPage([rule]);
      await page.change({ agentName });
      await page.pass(20_000);
      return page.shown.map((bubble) => bubble.from);
    };
    expect(await from(SLOW, 'Adelheid')).toEqual(['Adelheid']);
    expect(await from({ ...SLOW, from: 'Maren' }, 'Adelheid')).toEqual(['Maren']);
    expect(await from(SLOW)).toEqual([undefined]);
  });

  it('shows no proactive message beside a conversation, nor beside an open panel', async () => {
    const page = openPage([SLOW]);
    await page.change({ hasStarted: true });
    await page.pass(20_000);
    expect([page.shown, page.isWatching()]).toEqual([[], false]);
    const other = openPage([SLOW]);
    await other.chat.commands.open();
    await other.pass(20_000);
    expect([other.shown, other.isWatching()]).toEqual([[], false]);
    expect(sessionStorage).toHaveLength(0);
  });

  it('stops watching with the widget, and when other rules replace the earlier ones', async () => {
    const page = openPage([SLOW]);
    page.start([{ ...AT_ONCE, afterSeconds: 5 }]);
    await page.pass(4_000);
    page.start(undefined);
    expect([page.isWatching(), vi.getTimerCount()]).toEqual([false, 0]);
    page.start([SLOW]);
    expect(() => page.start('[{}]')).toThrow('without "id"');
    expect([page.isWatching(), vi.getTimerCount()]).toEqual([false, 0]);
    page.start([SLOW]);
    page.life.abort();
    expect([page.isWatching(), vi.getTimerCount()]).toEqual([false, 0]);
    page.start([AT_ONCE]);
    await page.pass(60_000);
    expect(page.shown).toEqual([]);
  });
});

describe('what is remembered', () => {
  it('remembers in this tab session that a proactive message was shown', async () => {
    const first = openPage([AT_ONCE]);
    await first.pass(0);
    const second = openPage([{ ...AT_ONCE, id: 'other' }]);
    await second.pass(0);
    expect([texts(first), texts(second)]).toEqual([['Hello'], []]);
    expect([{ ...sessionStorage }, localStorage.length]).toEqual([
      { 'natter-proactive': 'shown at-once en' },
      0,
    ]);
    sessionStorage.clear();
    const later = openPage([AT_ONCE]);
    await later.pass(0);
    expect(texts(later)).toEqual(['Hello']);
  });

  it('remembers the ids of dismissed messages, which are never shown again', async () => {
    localStorage.setItem('natter-proactive-dismissed', '{"no":"list"}');
    const first = openPage([AT_ONCE]);
    await first.pass(0);
    first.shown[0]?.onDismiss?.();
    expect({ ...localStorage }).toEqual({ 'natter-proactive-dismissed': '["at-once"]' });
    sessionStorage.clear();
    const second = openPage([AT_ONCE, { ...AT_ONCE, id: 'other', text: 'Other' }]);
    await second.pass(0);
    expect(texts(second)).toEqual(['Other']);
  });

  it('remembers the number of visits if a rule depends on it', async () => {
    const rules = [{ id: 'again', text: 'Back again?', visits: 2 }];
    const first = openPage(rules);
    await first.pass(0);
    // The next page of the same visit.
    const next = openPage(rules);
    await next.pass(0);
    expect([first.shown, next.shown, { ...localStorage }]).toEqual([
      [],
      [],
      { 'natter-proactive-visits': '1' },
    ]);
    sessionStorage.clear();
    const second = openPage(rules);
    await second.pass(0);
    expect(texts(second)).toEqual(['Back again?']);
    expect({ ...localStorage }).toEqual({ 'natter-proactive-visits': '2' });
  });

  it('remembers nothing, and shows nothing, if the site asks for consent', async () => {
    for (const consent of [true, 'true']) {
      const page = openPage([AT_ONCE, { id: 'again', text: 'Back again?', visits: 1 }], { consent });
      await page.pass(60_000);
      expect([page.shown, page.countLoads(), sessionStorage.length, localStorage.length]).toEqual([
        [],
        0,
        0,
        0,
      ]);
    }
  });

  it('remembers proactive messages as long as the page if storage is blocked', async () => {
    const block = (): never => {
      throw new DOMException('blocked', 'SecurityError');
    };
    vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(block);
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(block);
    const page = openPage([{ ...AT_ONCE, visits: 1 }]);
    await page.pass(0);
    page.shown[0]?.onDismiss?.();
    page.start([AT_ONCE, { ...AT_ONCE, id: 'other' }]);
    await page.pass(0);
    expect(texts(page)).toEqual(['Hello']);
  });
});
