import type { CDPSession, Page } from '@playwright/test';
import { ChatPanel } from './chat-panel.ts';
import { expect, test } from './fixtures.ts';

// The platform takes ten sockets per session (WS-3).
const TABS = 12;

test('twelve tabs show one conversation over one socket, whichever of them goes', async ({
  page,
  context,
  stack,
  chat,
}) => {
  let sockets = 0;
  const panels: ChatPanel[] = [];
  const openTab = async (tab: Page, panel: ChatPanel): Promise<void> => {
    tab.on('websocket', () => (sockets += 1));
    await tab.goto(stack.urls.demo);
    await panel.open();
    panels.push(panel);
  };
  await context.clock.install();
  const leader = await context.newPage();
  const first = new ChatPanel(leader);
  await openTab(leader, first);
  await first.expectQuiet();
  await first.ask('When does the first ferry leave on Sundays?');
  await openTab(page, chat);
  while (panels.length < TABS) {
    const tab = await context.newPage();
    await openTab(tab, new ChatPanel(tab));
  }
  const lines = await first.readLines();
  for (const panel of panels) await panel.expectLines(lines);
  expect(sockets).toBe(1);

  await chat.say('Do you have wifi on board?');
  for (const panel of panels) {
    await expect(panel.messages('user').locator('[data-delivery="sent"]')).toHaveCount(2);
    await panel.expectAnswer(/wi-?fi/i);
  }

  // The tab with the socket is closed while an answer streams: the others miss nothing of it.
  await page.bringToFront();
  await chat.say('How do I claim compensation for a delay?');
  // Looked for in every frame: an answer streams for a second or two.
  await chat.dialog.locator('[data-streaming="true"] .rich').filter({ hasText: /\w{3}/ }).waitFor();
  // Told by its lock, and not by silence, which would take seconds: the clock goes on by a millisecond at each look, for the
  // timers without a delay in which a socket is opened.
  await page.clock.pauseAt(Date.now() + 5_000);
  await leader.close();
  await expect
    .poll(async () => {
      await page.clock.runFor(1);
      return sockets;
    })
    .toBe(2);
  await page.clock.resume();
  await chat.expectQuiet();
  const after = await chat.readLines();
  expect(after.map(({ author }) => author)).toEqual([
    'agent',
    ...['user', 'agent'],
    ...['user', 'agent'],
    ...['user', 'agent'],
  ]);
  for (const panel of panels.slice(1)) await panel.expectLines(after);
  expect(sockets).toBe(2);
});

/** The text of every storage that a page can read, and the names of its databases. */
const readStorages = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const databases = await indexedDB.databases();
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, databases.map(({ name }) => name)]);
  });

test('what is written in one tab comes to no other tab, not a letter, and is gone where it was sent', async ({
  page,
  context,
  stack,
  chat,
}) => {
  const other = await context.newPage();
  const second = new ChatPanel(other);
  for (const [tab, panel] of [
    [page, chat],
    [other, second],
  ] as const) {
    await tab.goto(stack.urls.demo);
    await panel.open();
    await panel.expectQuiet();
    await panel.composer.blur();
  }
  await chat.composer.pressSequentially('Can I bring my dog?');
  await chat.composer.blur();
  // Before the chat is used nothing is kept anywhere but how the panel stands, and this is not a use.
  expect(await readStorages(page)).toMatch(/^\[\{\},\{"natter-panel:[^"]+":"open 0"\},\[\]\]$/);
  await second.composer.pressSequentially('Something else');
  await expect(chat.composer).toHaveValue('Can I bring my dog?');

  // A panel that was closed, and a tab that comes later.
  await chat.composer.press('Escape');
  await expect(chat.dialog).toBeHidden();
  await chat.open();
  await expect(chat.composer).toHaveValue('Can I bring my dog?');
  const late = await context.newPage();
  const third = new ChatPanel(late);
  await late.goto(stack.urls.demo);
  await third.open();
  await third.expectQuiet();
  await expect(third.composer).toHaveValue('');
  await chat.composer.press('Enter');
  for (const panel of [chat, second, third]) await expect(panel.messages('user')).toHaveCount(1);
  for (const [panel, text] of [
    [chat, ''],
    [second, 'Something else'],
    [third, ''],
  ] as const)
    await expect(panel.composer).toHaveValue(text);
  await chat.expectQuiet();

  // Nothing is left of it for whoever comes next, in any tab, and not even under the hands of somebody.
  await third.composer.fill('Mine');
  await second.composer.focus();
  await late.evaluate(() => Reflect.get(window, 'Natter').logout());
  await expect(second.composer).toHaveValue('');
  await third.open();
  await expect(third.composer).toHaveValue('');
});

/** Ways in which the tab with the socket can go without giving it back; resolves with what lets it go on, if it can. */
const GOES: Readonly<
  Record<string, (tab: Page, session: CDPSession) => Promise<null | (() => Promise<unknown>)>>
> = {
  crashed: async (tab, session) => {
    const crashed = tab.waitForEvent('crash');
    // A process that is gone answers nothing more.
    session.send('Page.crash').catch(() => {});
    await crashed;
    return null;
  },
  // Nothing of it runs, as in one that is frozen; it has the lock all the while.
  hung: async (_, session) => {
    await session.send('Debugger.enable');
    const paused = new Promise((resolve) => session.once('Debugger.paused', resolve));
    await session.send('Runtime.evaluate', { expression: 'setTimeout(() => { debugger; })' });
    await paused;
    return () => session.send('Debugger.resume');
  },
};

for (const [how, go] of Object.entries(GOES)) {
  test(`another tab takes over from one that is ${how}, and nothing is missed`, async ({
    page,
    context,
    stack,
    chat,
  }) => {
    let sockets = 0;
    page.on('websocket', () => (sockets += 1));
    const leader = await context.newPage();
    const first = new ChatPanel(leader);
    await leader.goto(stack.urls.demo);
    await first.open();
    await first.expectQuiet();
    await first.ask('When does the first ferry leave on Sundays?');
    await page.goto(stack.urls.demo);
    await chat.open();
    await chat.expectLines(await first.readLines());
    expect(sockets).toBe(0);

    await page.bringToFront();
    const session = await context.newCDPSession(leader);
    const wake = await go(leader, session);
    await chat.say('Do you have wifi on board?');
    await expect.poll(() => sockets).toBe(1);
    await expect(chat.messages('agent').last()).toContainText(/wi-?fi/i);
    await chat.expectQuiet();
    expect((await chat.readLines()).filter(({ author }) => author === 'user')).toHaveLength(2);
    if (!wake) return;
    await wake();
    await expect(first.messages('user')).toHaveCount(2);
    await expect(first.messages('agent').last()).toContainText(/wi-?fi/i);
    await first.expectLines(await chat.readLines());
    expect(sockets).toBe(1);
  });
}
