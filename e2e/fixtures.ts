import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test';
import { ChatPanel } from './chat-panel.ts';
import { type Stack, startStack } from './stack.ts';
import { type TokenWatch, watchTokens } from './token-watch.ts';

interface Fixtures {
  /** The widget on the test's page. */
  readonly chat: ChatPanel;
  /** Checked after every test: no token stands anywhere a script could find it. */
  readonly tokens: TokenWatch;
}

interface WorkerFixtures {
  /** Platform, token proxy and demo site, one set per worker. */
  readonly stack: Stack;
}

/** Playwright's `test` with the real stack behind it. */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & Fixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerFixtures
> = base.extend<Fixtures, WorkerFixtures>({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const stack = await startStack();
      await use(stack);
      await stack.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
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
