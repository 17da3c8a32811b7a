import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from './fixtures.ts';
import { ChatPanel } from './page/chat-panel.ts';
import { findFrame, openBench } from './page/open-bench.ts';
import { START_TIMEOUT_MS } from './stack/run-process.ts';

const OUTAGE_MS = 20_000;
test('loses and repeats nothing when the platform is killed while an answer streams', async ({
  page,
  stack,
  chat,
}) => {
  // The platform restarts.
  test.setTimeout(START_TIMEOUT_MS);
  await page.clock.install();
  await page.goto(stack.urls.demo);
  await chat.open();
  await chat.expectQuiet();
  await chat.say('How do I claim compensation for a delay?');
  // The answer has begun and is not finished, when most faults are possible.
  await expect(chat.dialog.locator('[data-streaming="true"] .rich')).toContainText(/\w{3}/);
  await stack.killPlatform();
  // On a busy machine the start takes longer than reconnect attempts continue (CON-2), so the page's clock is paused
  // meanwhile. Not at once, because the page's clock may be ahead by now.
  await page.clock.pauseAt(Date.now() + 10_000);
  await stack.startPlatform();
  await page.clock.resume();

  await chat.expectQuiet();
  await chat.say('When does the first ferry leave on Sundays?');
  await expect(chat.messages('user').locator('[data-delivery="sent"]')).toHaveCount(2);
  await chat.expectAnswer(/first ferries from Port Hallan/i);

  const shown = (await chat.readLines()).filter(({ author }) => author === 'user').map(({ text }) => text);
  expect(shown).toEqual([
    'How do I claim compensation for a delay?',
    'When does the first ferry leave on Sundays?',
  ]);

  // A client without any state reads the same conversation from the log.
  const before = await chat.readLines();
  await page.reload();
  await chat.open();
  await chat.expectLines(before);
});

test('keeps messages written during 20 s without a network, and sends them once', async ({
  page,
  context,
  stack,
  chat,
}) => {
  await page.clock.install();
  await page.goto(stack.urls.demo);
  await chat.open();
  await expect(chat.messages('agent')).toHaveCount(1);
  await chat.expectQuiet();
  await context.setOffline(true);
  await expect(chat.dialog.getByText(/you.re offline/i).first()).toBeVisible();
  await chat.say('Do you have wifi on board?');
  await expect(chat.messages('user')).toHaveCount(1);
  await page.clock.runFor(OUTAGE_MS);
  await context.setOffline(false);
  await expect(chat.messages('agent').last()).toContainText(/wi-?fi/i);
  await chat.expectQuiet();
  const lines = await chat.readLines();
  expect(lines.map(({ author }) => author)).toEqual(['agent', 'user', 'agent']);
});

test('moves unsent messages of an ended chat into the next one, where they can be sent', async ({
  page,
  context,
  stack,
  chat,
}) => {
  await page.goto(stack.urls.demo);
  await chat.open();
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog/i);
  await context.setOffline(true);
  await expect(chat.dialog.getByText(/you.re offline/i).first()).toBeVisible();
  await chat.say('Do you have wifi on board?');
  await expect(chat.messages('user')).toHaveCount(2);
  await page.evaluate(() => Reflect.get(window, 'Natter').endChat());
  await expect(chat.messages('user').last()).toContainText(/not sent/i);
  await context.setOffline(false);
  await chat.dialog.getByRole('button', { name: /start a new chat/i }).click();
  await chat.expectAnswer(/Ada/);
  await expect(chat.messages('user').locator('.bubble')).toHaveText(['Do you have wifi on board?']);
  await expect(chat.messages('agent')).toHaveCount(1);
  await chat
    .messages('user')
    .getByRole('button', { name: /try again/i })
    .click();
  await expect(chat.messages('user').locator('[data-delivery="sent"]')).toHaveText([
    'Do you have wifi on board?',
  ]);
  await chat.expectAnswer(/wi-?fi/i);
});

test('keeps unsent messages of an ended chat over a reload, and lets the visitor send them', async ({
  page,
  context,
  stack,
  chat,
}) => {
  await page.goto(stack.urls.demo);
  await chat.open();
  await chat.ask('Can I bring my dog?');
  await context.setOffline(true);
  await expect(chat.dialog.getByText(/you.re offline/i).first()).toBeVisible();
  await chat.say('Do you have wifi on board?');
  await page.evaluate(() => Reflect.get(window, 'Natter').endChat());
  const unsent = chat.messages('user').filter({ hasText: 'wifi' });
  await expect(unsent).toContainText('Not sent');
  await context.setOffline(false);
  await page.reload();
  await chat.open();
  await chat.expectQuiet();
  await expect(chat.messages('user')).toHaveCount(1);
  await expect(unsent).toContainText('Not sent');
  await unsent.getByRole('button', { name: 'Try again' }).click();
  await chat.expectAnswer(/wi-?fi/i);
  await expect(unsent.locator('[data-delivery="sent"]')).toHaveText(['Do you have wifi on board?']);
  await expect(chat.messages('user')).toHaveCount(1);
});

test('keeps the conversation when only sockets are unavailable for long', async ({ page, stack, chat }) => {
  let frames = 0;
  let probes = 0;
  page.on('websocket', (socket) => socket.on('framereceived', () => (frames += 1)));
  page.on('response', (response) => {
    if (response.url().endsWith('/v1/probe')) probes += 1;
  });
  await page.clock.install();
  await page.goto(stack.urls.demo);
  await chat.open();
  await chat.ask('Can I bring my dog?');
  const before = await chat.readLines();
  /** Lets the pauses between attempts pass. */
  const waitFor = (count: () => number, more: number): Promise<void> =>
    expect
      .poll(async () => {
        await page.clock.runFor(1_000);
        return count();
      })
      .toBeGreaterThan(more);
  const setOffline = async (on: boolean): Promise<void> => {
    const answer = await page.request.post(`${stack.urls.demo}bench/faults/offline`, { data: { on } });
    await expect(answer).toBeOK();
  };
  await setOffline(true);
  // The proxy, which can reach the platform, is asked for the fault.
  await waitFor(() => probes, 0);
  const framesBefore = frames;
  await setOffline(false);
  await waitFor(() => frames, framesBefore);
  await chat.say('Do you have wifi on board?');
  await expect(chat.messages('agent').last()).toContainText(/wi-?fi/i);
  await chat.expectQuiet();
  const after = await chat.readLines();
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.map(({ author }) => author).slice(before.length)).toEqual(['user', 'agent']);
});

test('reconnects when the connection is cut', async ({ page, stack, chat }) => {
  let closed = 0;
  page.on('websocket', (socket) => socket.on('close', () => (closed += 1)));
  await page.goto(stack.urls.demo);
  await chat.open();
  await chat.expectQuiet();
  const questions = ['How long is the crossing?', 'Is there a cabin?', 'Where can I park?'];
  for (const [index, question] of questions.entries()) {
    const cut = page.request.post(`${stack.urls.demo}bench/faults/drop`, { data: { on: false } });
    await expect(await cut).toBeOK();
    await expect.poll(() => closed).toBe(index + 1);
    await chat.say(question);
    await expect(chat.messages('user').locator('[data-delivery="sent"]')).toHaveCount(index + 1);
  }
  await expect(chat.messages('agent')).toHaveCount(4);
  await chat.expectQuiet();
  expect((await chat.readLines()).filter(({ author }) => author === 'user')).toHaveLength(3);
});

test('stops a slow answer, and continues with the next', async ({ page, stack, chat }) => {
  const setSlow = async (on: boolean): Promise<void> => {
    await expect(await page.request.post(`${stack.urls.demo}bench/faults/slow`, { data: { on } })).toBeOK();
  };
  await page.goto(stack.urls.demo);
  await chat.open();
  await chat.expectAnswer(/Ada/);
  await setSlow(true);
  await chat.say('Can I bring my dog?');
  await chat.dialog.getByRole('button', { name: 'Stop the answer' }).click();
  const answer = chat.messages('agent').nth(1);
  await expect(answer).toContainText('Stopped');
  const said = await answer.locator('.rich').textContent();
  await setSlow(false);
  await chat.say('Do you have wifi on board?');
  await chat.expectAnswer(/wi-?fi/i);
  await expect(answer.locator('.rich')).toHaveText(said ?? '');
});

test('loads all lazy parts after the panel has loaded only on the second try', async ({
  page,
  stack,
  chat,
}) => {
  // Permanently, as in Firefox, which remembers modules that could not be fetched.
  await page.route(/\/natter\/panel-\w+\.js$/, (route) => route.abort());
  await page.goto(stack.urls.demo);
  const failed = page.waitForEvent('requestfailed');
  await chat.launcher.click();
  await failed;
  await expect(page.getByRole('alert')).toBeVisible();
  await chat.open();
  await chat.ask('Can I bring my dog?');
  await chat.dialog.getByRole('button', { name: 'More' }).click();
  const items = chat.dialog.getByRole('menuitem');
  await expect(items.first()).toBeVisible();

  // The hovered row differs from the others.
  await items.last().hover();
  const grounds = await chat.dialog
    .getByRole('menu')
    .evaluate((menu) => [menu, ...menu.children].map((one) => getComputedStyle(one).backgroundColor));
  expect(grounds.filter((ground) => ground !== 'rgba(0, 0, 0, 0)')).toHaveLength(2);
});

test('shows an answer once, and continues, when the fault panel kills the node in the middle of it', async ({
  page,
  inspected,
}) => {
  // As above.
  test.setTimeout(2 * START_TIMEOUT_MS);
  await page.clock.install();
  const { chat, press, showTab } = await openBench(page, inspected.urls.bench);
  await chat.open();
  await chat.ask('Can I bring my dog?');
  await showTab('Faults');
  await chat.say('How do I claim compensation for a delay?');
  const broken = chat.messages('agent').nth(2).locator('.rich');
  await expect(broken).toContainText(/\w{3}/);
  await press('Kill the node');
  await expect(chat.dialog.getByText('Connection lost')).toBeVisible();
  await chat.say('When does the first ferry leave on Sundays?');
  // As above, the page's clock is paused while the next process starts.
  await page.clock.pauseAt(Date.now() + 10_000);
  await expect(page.getByRole('status', { name: 'Link' })).toContainText('was killed', {
    timeout: START_TIMEOUT_MS,
  });
  await page.clock.resume();

  await chat.expectAnswer(/first ferries from Port Hallan/i);
  await expect(chat.messages('user').locator('[data-delivery="sent"]')).toHaveCount(3);
  await expect(chat.messages('user')).toHaveText([/my dog/, /compensation for a delay/, /on Sundays/]);
  // The visitor has read a part of the answer, so the next node does not start another one.
  await expect(chat.transcript.getByText('I encountered an error')).toHaveCount(1);
  // The beginning of a table is text until more follows.
  const part = (await broken.textContent())?.replace(/\|.*$/s, '') ?? '';
  expect(part).toMatch(/\w{3}/);
  await chat.ask('How do I claim compensation for a delay?');
  await expect(chat.messages('agent').last().locator('.rich')).toContainText(part);
  const before = await chat.readLines();
  await press('Reload');
  await new ChatPanel(await findFrame(page)).expectLines(before);
});

test('moves unsent messages to a new session, and says that an expired session is over', async ({
  page,
  inspected,
}) => {
  const { chat, press, showTab } = await openBench(page, inspected.urls.bench);
  await chat.open();
  await chat.ask('Hello');
  await showTab('Faults');
  await press('Expire the token');
  await expect(page.getByText('All tokens have expired and the socket was cut.')).toBeVisible();
  // A later token does not open an earlier session. Source: TOK-3, TOK-4.
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dogs? /i);
  await expect(chat.messages('user')).toHaveText([/Can I bring my dog/]);
  await expect(chat.messages('agent')).toHaveCount(2);
  await press('Expire the session');
  const anew = chat.dialog.getByRole('button', { name: /start a new chat/i });
  await expect(anew).toBeVisible();
  await anew.click();
  await expect(chat.messages('agent')).toHaveCount(1);
  await chat.expectQuiet();
  await showTab('Log');
  await expect(page.locator('[data-way] strong').filter({ hasText: 'SESSION_END' })).toHaveCount(1);
});

test('shows the visitor that the page’s origin is not allowed, and leaves the page usable', async ({
  page,
  stack,
  chat,
}) => {
  const page404 = `<!doctype html><html lang="en"><title>Elsewhere</title><h1>Another site</h1>
    <script src="${stack.urls.proxy}natter.js" defer></script></html>`;
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(page404);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const refused = page.waitForResponse((response) => response.url().endsWith('/v1/session'));
    await page.goto(`http://127.0.0.1:${port}/`);
    await chat.open();
    expect((await refused).status()).toBe(403);
    await expect(chat.dialog.getByText(/isn’t (available|set up)/).first()).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Another site' })).toBeVisible();
    // Nothing can be sent from here, and the message says so.
    await chat.say('Hello?');
    await expect(chat.dialog.getByText('Not sent.')).toBeVisible();
    await expect(chat.dialog.getByText('Waiting to send')).toHaveCount(0);
    await chat.dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(chat.messages('user')).toHaveCount(0);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

test.describe('on a page with hostile styles', () => {
  // The site's policy would block the hostile style sheet, and with it the test.
  test.use({ bypassCSP: true });

  test('looks the same on a page with hostile styles', async ({ page, stack, chat }) => {
    await page.goto(stack.urls.demo);
    await page.addStyleTag({
      content: `html { font-size: 40px; direction: rtl }
        * { all: unset !important; display: block !important; color: lime !important;
            font: 30px fantasy !important; position: static !important; opacity: .2 !important }
        button { transform: rotate(90deg) !important } div { display: none !important }
        natter-chat { display: none !important; position: relative !important }`,
    });
    await chat.open();
    await chat.expectQuiet();
    const look = await chat.composer.evaluate((element) => {
      const { fontSize, color, opacity } = getComputedStyle(element);
      return { fontSize: Number.parseFloat(fontSize), color, opacity };
    });
    expect(look.fontSize).toBeGreaterThanOrEqual(15);
    expect(look.fontSize).toBeLessThanOrEqual(16);
    expect(look.opacity).toBe('1');
    expect(look.color).not.toBe('rgb(0, 255, 0)');
    const box = await chat.dialog.boundingBox();
    expect(box?.width).toBeGreaterThan(380);
    expect(box?.width).toBeLessThan(420);
  });
});
