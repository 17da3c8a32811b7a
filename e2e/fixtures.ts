import { test as base } from '@playwright/test';
import { oncePerWorker, type TestWith } from './once-per-worker.ts';
import { ChatPanel } from './page/chat-panel.ts';
import { type TokenWatch, watchTokens } from './page/token-watch.ts';
import { START_TIMEOUT_MS } from './stack/run-process.ts';
import { type InspectedStack, type Stack, startInspectedStack, startStack } from './stack/stack.ts';

export interface Fixtures {
  /** The widget on the test's page. */
  readonly chat: ChatPanel;
  /** Checked after every test: no script can find a token anywhere. */
  readonly tokens: TokenWatch;
}

export interface WorkerFixtures {
  /** Platform, token proxy and demo site, one set per worker. */
  readonly stack: Stack;
  /**
   * The demo as `npm start` runs it, for tests of the test bench and the payments; started with the first test that
   * needs it.
   */
  readonly inspected: InspectedStack;
}

/** Playwright's `test` with the real stack. */
export const test: TestWith<Fixtures, WorkerFixtures> = base.extend<Fixtures, WorkerFixtures>({
  stack: oncePerWorker(startStack, 2 * START_TIMEOUT_MS),
  inspected: oncePerWorker(startInspectedStack, 2 * START_TIMEOUT_MS),
  tokens: [
    async ({ page }, use) => {
      const tokens = watchTokens(page);
      await use(tokens);
      await tokens.assertNoLeak();
    },
    { auto: true },
  ],
  chat: async ({ page }, use) => {
    await use(new ChatPanel(page));
  },
});
export { expect } from '@playwright/test';
