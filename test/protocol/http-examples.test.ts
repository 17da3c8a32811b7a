import type { Platform } from '@natter/platform';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startExamplePlatform } from './example-platform.ts';
import { sendExamples } from './send-examples.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startExamplePlatform();
});
afterAll(() => platform.close());

it.each([
  ['messaging.md', 7],
  ['rest.md', 30],
])('docs/protocol/%s prints requests that a platform answers as printed', async (page, least) => {
  const sent = await sendExamples(platform.url, page);
  expect(sent.length).toBeGreaterThanOrEqual(least);
  const wrong = sent.filter(({ differences }) => differences.length > 0);
  expect(wrong.map(({ place, differences }) => ({ place, differences }))).toEqual([]);
});
