import { expect, test } from './fixtures.ts';

// Playwright disables the back/forward cache by default.
test.use({
  launchOptions: [
    ({ launchOptions }, use) =>
      use({ ...launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
    { scope: 'worker' },
  ],
});

test('a page from the back/forward cache continues its conversation', async ({ page, stack, chat }) => {
  let sockets = 0;
  page.on('websocket', () => (sockets += 1));
  await page.addInitScript(() => {
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) document.documentElement.dataset['persisted'] = 'yes';
    });
  });
  await page.goto(stack.urls.demo);
  await chat.open();
  await chat.ask('Can I bring my dog?');
  const before = await chat.readLines();
  await page.goto(`${stack.urls.proxy}v1/health`);
  // A page from the cache loads nothing.
  await page.goBack({ waitUntil: 'commit' });
  await expect(page.locator('html')).toHaveAttribute('data-persisted', 'yes');
  await expect(chat.dialog).toBeVisible();
  await chat.ask('Do you have wifi on board?');
  await expect(chat.messages('agent').last()).toContainText(/wi-?fi/i);
  const lines = await chat.readLines();
  expect(lines.slice(0, before.length)).toEqual(before);
  expect(lines).toHaveLength(before.length + 2);
  expect(sockets).toBe(2);
});
