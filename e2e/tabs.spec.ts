import type { Page } from '@playwright/test';
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
    if (!(await panel.dialog.isVisible())) await panel.open();
    panels.push(panel);
  };
  const leader = await context.newPage();
  const first = new ChatPanel(leader);
  await openTab(leader, first);
  await first.say('When does the first ferry leave on Sundays?');
  await expect(first.messages('agent').last()).toContainText(/\d/);
  await first.expectQuiet();
  await openTab(page, chat);
  while (panels.length < TABS) {
    const tab = await context.newPage();
    await openTab(tab, new ChatPanel(tab));
  }
  const lines = await first.readLines();
  for (const panel of panels) {
    await expect(panel.messages('user')).toHaveCount(1);
    expect(await panel.readLines()).toEqual(lines);
  }
  expect(sockets).toBe(1);

  await chat.say('Do you have wifi on board?');
  for (const panel of panels) {
    await expect(panel.messages('user').last().locator('[data-delivery="sent"]')).toHaveCount(1);
    await expect(panel.messages('agent').last()).toContainText(/wi-?fi/i);
  }

  // The tab with the socket is closed while an answer streams: the others miss nothing of it.
  await page.bringToFront();
  await chat.say('How do I claim compensation for a delay?');
  await expect(chat.dialog.locator('[data-streaming="true"] [data-part="text"]')).toContainText(/\w{3}/);
  await leader.close();
  await expect.poll(() => sockets, { timeout: 2_000 }).toBe(2);
  await chat.expectQuiet();
  const after = await chat.readLines();
  expect(after.filter(({ author }) => author === 'user')).toHaveLength(3);
  for (const panel of panels.slice(1)) {
    await panel.expectQuiet();
    expect(await panel.readLines()).toEqual(after);
  }
  expect(sockets).toBe(2);
});
