import { readFileSync } from 'node:fs';
import { ChatPanel } from './chat-panel.ts';
import { expect, test } from './fixtures.ts';
import { startInspectedStack } from './stack.ts';

test('the QA page tells the widget everything that it has a control for, and lists what happens', async ({
  page,
  stack,
  chat,
}) => {
  await page.goto(stack.urls.qa);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const launcher = page.locator('natter-chat .launcher');
  const events = page.locator('tr[data-way="event"]');

  for (const rule of ['on this page', 'at the second visit']) {
    await page.getByLabel('Proactive message').selectOption(rule);
    await press('Try the rule');
    await expect(page.locator('natter-chat .teaser')).toBeVisible();
    await press('Dismiss');
  }
  await press('Show a bubble');
  await expect(page.getByText('Can we help you to find a crossing?')).toBeVisible();
  await press('Hide the launcher');
  await expect(launcher).toBeHidden();
  await press('Show the launcher');
  await expect(launcher).toBeVisible();

  await press('Open');
  await expect(chat.dialog).toBeVisible();
  await expect(events.filter({ hasText: 'open' })).not.toHaveCount(0);
  await page.getByLabel('Theme').selectOption('dark');
  await expect(page.locator('natter-chat .frame')).toHaveAttribute('data-theme', 'dark');
  await page.getByLabel('Language').selectOption('de');
  await expect(page.locator('natter-chat .frame')).toHaveAttribute('lang', 'de');
  await page.getByLabel('Language').selectOption('');
  await expect(page.locator('natter-chat .frame')).toHaveAttribute('lang', 'en');

  await chat.ask('Can I bring my dog?');
  await expect(events.filter({ hasText: 'send{"text":"Can I bring my dog?"}' })).toHaveCount(1);
  await page.getByLabel('Visitor’s id').fill('maren');
  await press('Identify');
  await chat.ask('And my cat?');
  await expect(page.locator('tr[data-way="out"]').filter({ hasText: 'And my cat?' })).toContainText('maren');
  await press('Log out');
  await expect(chat.dialog).toBeHidden();
  await expect(events.filter({ hasText: 'end' })).not.toHaveCount(0);

  await press('Destroy');
  await expect(page.locator('natter-chat')).toHaveCount(0);
  await press('Open');
  await expect(page.getByText('There is no widget on the page.')).toBeVisible();
});

test('the QA page says what is wrong with the link after a reload too, and shows what it has examined', async ({
  page,
  stack,
}) => {
  await page.goto(stack.urls.qa);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const status = page.locator('#fault-status');
  await button('Offline').click();
  await expect(status).toHaveText('The platform cannot be reached.');
  await page.reload();
  await expect(button('Offline')).toHaveAttribute('aria-pressed', 'true');
  await expect(status).toHaveText('The platform cannot be reached.');
  await button('Slow (2 kB/s)').click();
  await expect(button('Slow (2 kB/s)')).toHaveAttribute('aria-pressed', 'true');
  await expect(status).toHaveText('The platform cannot be reached.');
  await button('Offline').click();
  await expect(status).toHaveText('Slow: 2 kB/s and 300 ms of delay.');
  await button('Slow (2 kB/s)').click();
  await expect(status).toHaveText('The link is good.');

  await button('Print the header').scrollIntoViewIfNeeded();
  await button('Examine').click();
  await expect(page.locator('#report')).toContainText('token proxy');
  await expect(page.locator('#report')).toBeInViewport();
});

test('the QA page folds the chunks of one answer into one row, and its log has the whole width while the chat is closed', async ({
  page,
  stack,
  chat,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(stack.urls.qa);
  const widthOf = () => page.locator('.frames').evaluate((log) => log.getBoundingClientRect().right);
  expect(await widthOf()).toBeGreaterThan(1200);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await chat.expectQuiet();
  await expect.poll(widthOf).toBeLessThan(880);
  await page.getByRole('button', { name: 'Clear' }).click();
  await chat.ask('Can I bring my dog?');
  const chunks = page.locator('tr[data-way="in"]').filter({ hasText: 'AGENT_MESSAGE_CHUNK' });
  await expect(chunks).toHaveCount(1);
  await expect(chunks.locator('summary')).toContainText(/^\d+ chunks/);
  await expect(chunks.locator('pre')).toBeHidden();
  await chunks.locator('summary').click();
  await expect(chunks.locator('pre')).toContainText('"is_complete":true');
});

test('the QA page shows the widget in each of the ready themes', async ({ page, stack }) => {
  await page.goto(stack.urls.qa);
  const accent = () =>
    page
      .locator('natter-chat')
      .evaluate((chat) => getComputedStyle(chat).getPropertyValue('--natter-accent'));
  const seen = new Set<string>([await accent()]);
  for (const theme of ['bloom', 'desk', 'harbour', 'ink', 'paper']) {
    await page.getByLabel('Look').selectOption(theme);
    await expect.poll(async () => seen.has(await accent()), theme).toBe(false);
    seen.add(await accent());
  }
});

test('the QA page saves a conversation without secrets, replays the file in the widget, and breaks the platform', async ({
  page,
}) => {
  const { urls, stop } = await startInspectedStack();
  const chat = new ChatPanel(page);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const status = page.locator('#fault-status');
  await page.goto(urls.qa);
  await press('Save what is in the log');
  await expect(page.locator('#recording-status')).toContainText('Nothing was recorded');
  await press('Open');
  await chat.ask('Can I bring my dog?');
  for (const [fault, words] of [
    ['Duplicate frames', 'come twice'],
    ['Reorder frames', 'change places'],
    ['Half-open the socket', 'half-open'],
    ['Drop the socket', 'was cut'],
  ] as const) {
    await press(fault);
    await expect(status).toContainText(words);
  }
  await chat.ask('And my cat?');

  const download = page.waitForEvent('download');
  await press('Save what is in the log');
  const file = await (await download).path();
  expect(readFileSync(file, 'utf8')).not.toMatch(/127\.0\.0\.1|eyJ/);
  await press('Replace the node');
  await expect(status).toContainText('another one has taken its place');
  await page.getByLabel('File', { exact: true }).setInputFiles(file);
  await page.getByLabel('Speed').selectOption('without pauses');
  await press('Replay it in the widget');
  await expect(page.locator('#recording-status')).toContainText('talks to a replay');
  await press('Open');
  await chat.ask('Is a horse welcome?');
  await expect(chat.transcript).toContainText('pets are welcome');
  await stop();
});
