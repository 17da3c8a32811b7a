import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { ChatPanel } from './page/chat-panel.ts';
import { readStored } from './page/read-stored.ts';

/** Counts the sockets of a page, and the heartbeats on them. */
function watchSockets(page: Page): { opened: number; closed: number; beats: number } {
  const seen = { opened: 0, closed: 0, beats: 0 };
  page.on('websocket', (socket) => {
    seen.opened += 1;
    socket.on('close', () => (seen.closed += 1));
    socket.on('framesent', ({ payload }) => {
      if (String(payload).includes('EVENT_TYPE_HEARTBEAT')) seen.beats += 1;
    });
  });
  return seen;
}

async function ask(chat: ChatPanel, question: string, answer: RegExp): Promise<void> {
  await chat.ask(question);
  await expect(chat.messages('agent').last()).toContainText(answer);
}

test('a page that is about to be frozen closes its socket, and continues when it is resumed', async ({
  page,
  stack,
  chat,
}) => {
  const sockets = watchSockets(page);
  const tell = (type: string): Promise<boolean> =>
    page.evaluate((name) => document.dispatchEvent(new Event(name)), type);
  await page.goto(stack.urls.demo);
  await chat.open();
  await chat.expectQuiet();
  await ask(chat, 'Can I bring my dog?', /dog/i);
  const before = await chat.readLines();
  await tell('freeze');
  await expect.poll(() => sockets.closed).toBe(1);
  await tell('resume');
  await expect.poll(() => sockets.opened).toBe(2);
  await ask(chat, 'Do you have wifi on board?', /wi-?fi/i);
  const lines = await chat.readLines();
  expect(lines.slice(0, before.length)).toEqual(before);
  expect(lines).toHaveLength(before.length + 2);
});

test('after a change of network the socket has to respond', async ({ page, context, stack, chat }) => {
  const sockets = watchSockets(page);
  await page.clock.install();
  await page.goto(stack.urls.demo);
  await chat.open();
  await chat.expectQuiet();
  // No heartbeat is due by time.
  await page.clock.pauseAt(Date.now() + 1_000);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  const { beats } = sockets;
  // Chromium describes a network by its properties.
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
    connectionType: 'cellular3g',
  });
  await expect.poll(() => sockets.beats).toBeGreaterThan(beats);
  expect(sockets).toMatchObject({ opened: 1, closed: 0 });
});

test('a crashed page has kept the unsent messages', async ({ page, context, stack, chat }) => {
  const lost = await context.newPage();
  const panel = new ChatPanel(lost);
  await lost.goto(stack.urls.demo);
  await panel.open();
  await panel.expectQuiet();
  await ask(panel, 'Can I bring my dog?', /dog/i);
  const before = await panel.readLines();
  const session = await context.newCDPSession(lost);
  const throughput = { downloadThroughput: -1, uploadThroughput: -1 };
  await session.send('Network.emulateNetworkConditions', { offline: true, latency: 0, ...throughput });
  await expect(panel.dialog.getByText(/you.re offline/i).first()).toBeVisible();
  await panel.say('Do you have wifi on board?');
  await expect(panel.dialog.getByText(/waiting to send/i)).toBeVisible();
  await expect.poll(() => readStored(lost)).toContain('Do you have wifi on board?');
  const crashed = lost.waitForEvent('crash');
  // A crashed process answers nothing more.
  session.send('Page.crash').catch(() => {});
  await crashed;

  await page.goto(stack.urls.demo);
  await chat.open();
  await chat.expectAnswer(/wi-?fi/i);
  const lines = await chat.readLines();
  expect(lines.slice(0, before.length)).toEqual(before);
  expect(lines.filter(({ author }) => author === 'user').map(({ text }) => text)).toEqual([
    'Can I bring my dog?',
    'Do you have wifi on board?',
  ]);
});

test('a conversation that expired while the machine slept says so, and keeps the draft', async ({
  page,
  stack,
  chat,
}) => {
  await page.clock.install();
  await page.goto(stack.urls.demo);
  await chat.open();
  await chat.expectQuiet();
  await ask(chat, 'Can I bring my dog?', /dog/i);
  const before = await chat.readLines();
  await chat.composer.fill('And what about');
  // As after sleep: it is a quarter of an hour later, and every timer is overdue once.
  await page.clock.fastForward('15:00');
  await expect(chat.dialog.getByText(/this conversation has expired/i)).toBeVisible();
  await chat.expectLines(before);
  await chat.dialog.getByRole('button', { name: /start a new chat/i }).click();
  await expect(chat.composer).toHaveValue('And what about');
  await chat.expectAnswer(/Ada/);
  await chat.composer.pressSequentially(' my cat?');
  await chat.composer.press('Enter');
  await expect(chat.messages('user').locator('[data-delivery="sent"]')).toHaveText([
    'And what about my cat?',
  ]);
});

test('an ended chat has its button although the part with the reason does not load', async ({
  page,
  stack,
  chat,
}) => {
  await page.route('**/ended.js', (route) => route.abort());
  await page.clock.install();
  await page.goto(stack.urls.demo);
  await chat.open();
  await chat.expectAnswer(/Ada/);
  await page.clock.fastForward('15:00');
  await chat.dialog.getByRole('button', { name: /start a new chat/i }).click();
  await expect(chat.dialog.getByRole('button', { name: /start a new chat/i })).toBeHidden();
  await chat.expectAnswer(/Ada/);
});
