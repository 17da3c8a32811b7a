import { type ChatHarness, type trackHarnesses, until } from './chat-harness.ts';
import { FakeBrowser, type FakeTab } from './fake-browser.ts';
import type { FakePlatformOptions } from './fake-platform.ts';

/** A client in a tab of a browser. */
export interface Tab extends ChatHarness {
  readonly tab: FakeTab;
}

type Harness = ReturnType<typeof trackHarnesses>['harness'];
type ChatOptions = Parameters<Harness>[1];

export const browserOf = ({ tab }: Tab): FakeBrowser => tab.browser;
export const socketsOf = ({ platform }: Tab): number => platform.session.peers.size;

/** Creates tabs of one browser, whose clients are destroyed with the clients of `harness`. */
export function tabsOf(harness: Harness): {
  /** Opens another tab in which the chat has started. */
  readonly openNext: (
    tabs: Tab[],
    browser: FakeBrowser,
    options?: FakePlatformOptions,
    chat?: ChatOptions,
    tab?: FakeTab,
  ) => Promise<Tab>;
  /** Opens tabs that show a conversation with a greeting. The first one leads. */
  readonly openTabs: (count: number, options?: FakePlatformOptions, chat?: ChatOptions) => Promise<Tab[]>;
  readonly pair: (options?: FakePlatformOptions, chat?: ChatOptions) => Promise<[Tab, Tab]>;
  readonly three: () => Promise<[Tab, Tab, Tab]>;
} {
  async function openNext(
    tabs: Tab[],
    browser: FakeBrowser,
    options: FakePlatformOptions = {},
    chat: ChatOptions = {},
    tab: FakeTab = browser.openTab(),
  ): Promise<Tab> {
    const [first] = tabs;
    const shared = first && { platform: first.platform, clock: first.clock, storage: first.storage };
    const one = { ...harness(options, chat, shared, tab), tab };
    tabs.push(one);
    await one.chat.start();
    return one;
  }

  async function openTabs(
    count: number,
    options: FakePlatformOptions = {},
    chat: ChatOptions = {},
  ): Promise<Tab[]> {
    const browser = new FakeBrowser();
    const tabs: Tab[] = [];
    while (tabs.length < count) {
      const one = await openNext(tabs, browser, options, chat);
      await until(() => one.lines().includes('agent: Hello'), `tab ${tabs.length} is greeted`);
    }
    return tabs;
  }

  return {
    openNext,
    openTabs,
    async pair(options, chat) {
      const [first, second] = await openTabs(2, options, chat);
      if (!first || !second) throw new Error('Two tabs were asked for.');
      return [first, second];
    },
    async three() {
      const [first, second, third] = await openTabs(3);
      if (!first || !second || !third) throw new Error('Three tabs were asked for.');
      return [first, second, third];
    },
  };
}
