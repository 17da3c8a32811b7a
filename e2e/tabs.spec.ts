import type { CDPSession, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { ChatPanel } from './page/chat-panel.ts';

// The platform accepts ten sockets per session (WS-3).
const TABS = 12;

test('twelve tabs show one conversation over one socket, whichever tab is closed', async ({
  page,
  context,
  stack,
  chat,
}) => {
  // Twelve pages of one browser share two cores.
  test.slow();
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

  // The tab with the socket is closed while an answer streams, and the others miss nothing.
  await page.bringToFront();
  await chat.say('How do I claim compensation for a delay?');
  // Checked in every frame, because an answer streams for only a second or two.
  await chat.dialog.locator('[data-streaming="true"] .rich').filter({ hasText: /\w{3}/ }).waitFor();
  // Detected by the lock, not by silence, which would take seconds. The clock advances by a millisecond per check, for
  // the timers without a delay with which a socket is opened.
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

/** Ways in which the tab with the socket can disappear without releasing it; resolves with a function that resumes it, if possible. */
const GOES: Readonly<
  Record<string, (tab: Page, session: CDPSession) => Promise<null | (() => Promise<unknown>)>>
> = {
  crashed: async (tab, session) => {
    const crashed = tab.waitForEvent('crash');
    // A crashed process answers nothing more.
    session.send('Page.crash').catch(() => {});
    await crashed;
    return null;
  },
  // Runs nothing, like a frozen tab, and keeps the lock.
  hung: async (_, session) => {
    await session.send('Debugger.enable');
    const paused = new Promise((resolve) => session.once('Debugger.paused', resolve));
    await session.send('Runtime.evaluate', { expression: 'setTimeout(() => { debugger; })' });
    await paused;
    return () => session.send('Debugger.resume');
  },
};

for (const [how, go] of Object.entries(GOES)) {
  test(`another tab takes over from one that is ${how}, and misses nothing`, async ({
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
