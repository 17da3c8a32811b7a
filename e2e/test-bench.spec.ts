import { readFileSync } from 'node:fs';
import { HOST_PAGES } from '../demo/bench/host-pages.ts';
import { expect, test } from './fixtures.ts';
import { ChatPanel } from './page/chat-panel.ts';
import { findViolations } from './page/find-violations.ts';
import { findFrame, openBench } from './page/open-bench.ts';
import { START_TIMEOUT_MS } from './stack/run-process.ts';

test('every tool of the bench has a whole tab, on a phone as well', async ({ page, stack }) => {
  await page.goto(stack.urls.bench);
  const tabs = page.getByRole('tablist', { name: 'Tools' });
  for (const width of [1280, 900, 360, 320]) {
    await page.setViewportSize({ width, height: 760 });
    const { left, right } = await tabs.evaluate((list) => list.getBoundingClientRect());
    const edges = await tabs
      .getByRole('tab')
      .evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect()));
    expect(edges).toHaveLength(6);
    expect(Math.min(...edges.map((tab) => tab.left)), `${width} px`).toBeGreaterThanOrEqual(left);
    expect(Math.max(...edges.map((tab) => tab.right)), `${width} px`).toBeLessThanOrEqual(right);
  }
});

test('the test bench passes the values of all controls to the widget, and lists the events', async ({
  page,
  stack,
}) => {
  const bench = await openBench(page, `${stack.urls.bench}?tab=widget`);
  const { frame, chat, press } = bench;
  const launcher = frame.locator('natter-chat .launcher');
  const log = page.getByRole('tabpanel', { name: 'Log', includeHidden: true });
  const events = log.locator('[data-way="event"]');

  for (const rule of ['on this page', 'on the second visit']) {
    await page.getByLabel('Proactive message').selectOption(rule);
    await press('Try the rule');
    await expect(frame.locator('natter-chat .teaser')).toBeVisible();
    await frame.getByRole('button', { name: 'Dismiss', exact: true }).click();
  }
  await press('Show a bubble');
  await expect(frame.getByText('Can we help you to find a crossing?')).toBeVisible();
  await press('Hide the launcher');
  await expect(launcher).toBeHidden();
  await press('Show the launcher');
  await expect(launcher).toBeVisible();

  await press('Open');
  await expect(chat.dialog).toBeVisible();
  await expect(events.filter({ hasText: 'open' })).not.toHaveCount(0);
  const panel = frame.locator('natter-chat .frame');
  await page.getByLabel('Theme').selectOption('dark');
  await expect(panel).toHaveAttribute('data-theme', 'dark');
  await page.getByLabel('Language').selectOption('de');
  await expect(panel).toHaveAttribute('lang', 'de');
  await page.getByLabel('Language').selectOption('');
  await expect(panel).toHaveAttribute('lang', 'en');
  const accent = () =>
    frame
      .locator('natter-chat')
      .evaluate((element) => getComputedStyle(element).getPropertyValue('--natter-accent'));
  const seen = new Set<string>([await accent()]);
  for (const look of ['bloom', 'desk', 'harbour', 'ink', 'paper']) {
    await page.getByLabel('Look').selectOption(look);
    await expect.poll(async () => seen.has(await accent()), look).toBe(false);
    seen.add(await accent());
  }

  await chat.ask('Can I bring my dog?');
  await expect(events.filter({ hasText: 'send{"text":"Can I bring my dog?"}' })).toHaveCount(1);
  await page.getByLabel('Visitor’s id').fill('maren');
  await press('Identify');
  await chat.ask('And my cat?');
  await expect(log.locator('[data-way="out"]').filter({ hasText: 'And my cat?' })).toContainText('maren');
  await press('Log out');
  await expect(chat.dialog).toBeHidden();
  await expect(events.filter({ hasText: 'end' })).not.toHaveCount(0);

  await press('Examine');
  const findings = page.getByRole('status', { name: 'Findings' });
  await expect(findings).toContainText('ok       token proxy');
  await press('Destroy');
  await expect(frame.locator('natter-chat')).toHaveCount(0);
  await press('Examine');
  await expect(findings).toHaveText(/The page has no widget/);
  await press('Open');
  await expect(page.getByRole('status', { name: 'Widget' })).toHaveText(/The page has no widget/);
});

test('the test bench describes faults of the connection, after a reload too, and prints the header', async ({
  page,
  stack,
}) => {
  await openBench(page, `${stack.urls.bench}?tab=faults`);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const status = page.getByRole('status', { name: 'Link' });
  await button('Offline').click();
  await expect(status).toHaveText('The platform is unreachable.');
  await page.reload();
  await expect(button('Offline')).toHaveAttribute('aria-pressed', 'true');
  await expect(status).toHaveText('The platform is unreachable.');
  await button('Slow (2 kB/s)').click();
  await expect(button('Slow (2 kB/s)')).toHaveAttribute('aria-pressed', 'true');
  await expect(status).toHaveText('The platform is unreachable.');
  await button('Offline').click();
  await expect(status).toHaveText('Slow: 2 kB/s and 300 ms of delay.');
  await button('Slow (2 kB/s)').click();
  await expect(status).toHaveText('The link is good.');

  await page.getByRole('tab', { name: 'CSP' }).click();
  await page.getByLabel('Picture hosts').fill('cdn.example.com');
  await button('Print the header').click();
  await expect(page.getByRole('status', { name: 'Header' })).toContainText(/img-src .*cdn\.example\.com/);
});

test('the test bench folds the chunks of an answer into one line, filters and clears its log, and offers screen sizes', async ({
  page,
  stack,
}) => {
  const { frame, chat, press } = await openBench(page, `${stack.urls.bench}?screen=phone`);
  expect(await frame.evaluate(() => [innerWidth, innerHeight])).toEqual([360, 740]);
  await chat.open();
  await chat.expectQuiet();
  await press('Clear');
  await chat.ask('Can I bring my dog?');
  const chunks = page.locator('[data-way="in"]').filter({ hasText: 'AGENT_MESSAGE_CHUNK' });
  await expect(chunks).toHaveCount(1);
  await expect(chunks.locator('summary')).toContainText(/^\d+ chunks/);
  await expect(chunks.locator('pre')).toBeHidden();
  await chunks.locator('summary').click();
  await expect(chunks.locator('pre')).toContainText('"is_complete":true');
  await page.getByLabel('Filter').fill('user_message');
  await expect(chunks).toHaveCount(0);
  await expect(page.locator('[data-way="out"]').filter({ hasText: 'Can I bring my dog?' })).toHaveCount(1);

  const matches = (query: string) => frame.evaluate((text) => matchMedia(text).matches, query);
  await page.getByLabel('Colours', { exact: true }).selectOption('dark');
  await expect(frame.locator('natter-chat .frame')).toHaveAttribute('data-theme', 'dark');
  await page.getByLabel('Reduced motion').check();
  await page.getByLabel('Right to left').check();
  await expect(frame.locator('natter-chat .frame')).toHaveAttribute('lang', 'ar');
  expect(await matches('(prefers-reduced-motion: reduce)')).toBe(true);
  await press('Reload');
  const again = await findFrame(page);
  await expect(again.locator('natter-chat .frame')).toHaveAttribute('lang', 'ar');
  await expect(again.locator('html')).toHaveAttribute('dir', 'rtl');
});

test('the test bench saves a conversation without secrets, replays the file in the widget, and breaks the platform', async ({
  page,
  inspected: { urls },
}) => {
  // The platform restarts.
  test.setTimeout(2 * START_TIMEOUT_MS);
  const { chat, press, showTab } = await openBench(page, urls.bench);
  const status = page.getByRole('status', { name: 'Link' });
  const recordingStatus = page.getByRole('status', { name: 'Recording' });
  await showTab('Recordings');
  await press('Save log');
  await expect(recordingStatus).toContainText('Nothing was recorded');
  await chat.open();
  await chat.ask('Can I bring my dog?');
  await showTab('Faults');
  for (const [fault, words] of [
    ['Duplicate frames', 'sent twice'],
    ['Reorder frames', 'are swapped'],
    ['Half-open the socket', 'half-open'],
    ['Drop the socket', 'was cut'],
  ] as const) {
    await press(fault);
    await expect(status).toContainText(words);
  }
  await chat.ask('And my cat?');

  await showTab('Recordings');
  const download = page.waitForEvent('download');
  await press('Save log');
  const file = await (await download).path();
  expect(readFileSync(file, 'utf8')).not.toMatch(/127\.0\.0\.1|eyJ/);
  await showTab('Faults');
  await press('Replace the node');
  await expect(status).toContainText('and replaced', { timeout: START_TIMEOUT_MS });
  await showTab('Recordings');
  await page.getByLabel('File', { exact: true }).setInputFiles(file);
  await page.getByLabel('Speed').selectOption('Without pauses');
  await press('Replay in the widget');
  await expect(recordingStatus).toContainText('connected to a replay');
  await expect(page.getByRole('region', { name: 'Visitor steps' })).toContainText('Writes: And my cat?');
  const replayed = new ChatPanel(await findFrame(page, '/bench/replay.html'));
  await replayed.launcher.click();
  await replayed.ask('Is a horse welcome?');
  await expect(replayed.transcript).toContainText('pets are welcome');
  await replayed.ask('And a goat?');
  await press('End replay');
  await findFrame(page);
});

for (const { id } of HOST_PAGES) {
  // Covered by the next test.
  if (id === 'sandboxed') continue;
  test(`the widget answers on the hostile page ${id}`, async ({ page, stack }) => {
    const { frame, chat } = await openBench(page, `${stack.urls.bench}?page=${id}`);
    await expect(chat.launcher, id).toBeInViewport({ ratio: 0.9 });
    await chat.launcher.click();
    expect(await chat.composer.evaluate((element) => getComputedStyle(element).fontStyle), id).toBe('normal');
    // Launcher and panel look the same; these pages change how answers arrive.
    if (['strict-policy', 'clobbered', 'old-library', 'single-page', 'no-storage'].includes(id)) {
      await chat.ask('Can I bring my dog?');
      await expect(chat.transcript, id).toContainText('pets are welcome');
    }
    if (id === 'strict-policy') await expect(frame.locator('#refused')).toHaveText('0');
    if (id === 'single-page') {
      await frame.getByRole('link', { name: 'Bags' }).click();
      await expect(frame.getByRole('heading', { name: 'Bags' })).toBeVisible();
      await expect(chat.transcript).toContainText('pets are welcome');
    }
  });
}

test('a sandboxed page that the token proxy does not know shows what is wrong', async ({ page, stack }) => {
  await page.goto(`${stack.urls.bench}?page=sandboxed&tab=widget`);
  await findFrame(page);
  await page.getByRole('button', { name: 'Examine' }).click();
  await expect(page.getByRole('status', { name: 'Findings' })).toContainText('The page has no origin');
});

test('axe finds no violation in the test bench itself, wide and narrow', async ({ page, stack }) => {
  await openBench(page, stack.urls.bench);
  for (const tab of ['faults', 'widget', 'recordings', 'policy', 'log']) {
    await page.goto(`${stack.urls.bench}?tab=${tab}`);
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 760 });
      await expect(page.getByRole('tabpanel')).toBeVisible();
      expect(await findViolations(page), `${tab} at ${width}`).toEqual([]);
    }
  }
});

test('the test bench sends written frames, which are refused as specified, and simulates faults of the setup', async ({
  page,
  stack,
}) => {
  const { chat, press, showTab } = await openBench(page, `${stack.urls.bench}?tab=widget`);
  await press('Open');
  await expect(chat.dialog.getByText(/^Hello/).first()).toBeVisible();
  const log = page.getByRole('tabpanel', { name: 'Log', includeHidden: true });
  const expectLine = (text: string) =>
    expect(log.locator('[data-way]').filter({ hasText: text })).not.toHaveCount(0);
  // The greeting is visible before the socket is open.
  await expectLine('AGENT_JOINED');
  await showTab('Frames');
  for (const [example, answer] of [
    ['A type that is not allowed', 'Event type not allowed: EVENT_TYPE_AGENT_MESSAGE'],
    ['No JSON', 'Unknown event type or invalid message format'],
    ['Too large', 'Message too large'],
  ] as const) {
    await page.getByLabel('Example').selectOption(example);
    await press('Send frame');
    await expectLine(answer);
  }
  await page
    .getByLabel('Frame', { exact: true })
    .fill('{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":"by hand"}}');
  await press('Send frame');
  await expect(chat.dialog.getByText('by hand', { exact: true })).toBeVisible();
  const busy = 'Our system is experiencing high load. Please try again in a moment.';
  await page.getByLabel('Fault', { exact: true }).selectOption(busy);
  await press('Show the fault');
  await expect(chat.dialog.getByText(busy).first()).toBeVisible();

  await press('Use up ten sockets');
  await expectLine('the test bench holds 10 sockets of this session');
  await press('Release the sockets');

  for (const [status, code] of [
    ['429', 'RATE_LIMITED'],
    ['500', 'INTERNAL'],
    ['401', 'SESSION_REFUSED'],
  ] as const) {
    await page.getByLabel('Set-up response').selectOption(status);
    await press('Start a new chat');
    await expectLine(`set-up answered by the test bench: ${status} ${code}`);
  }
});
