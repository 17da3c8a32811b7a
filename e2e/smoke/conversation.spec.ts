import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { ChatPanel } from '../page/chat-panel.ts';

test('greets, answers a question in the visitor’s own words, and names its source', async ({
  page,
  stack,
  chat,
  tokens,
}) => {
  const chunks: string[] = [];
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('AGENT_MESSAGE_CHUNK')) chunks.push(String(payload));
    });
  });
  await page.goto(stack.urls.demo);
  await chat.open();
  await chat.expectAnswer(/Ada/);
  const beforeQuestion = chunks.length;

  await chat.say('hi, how much does it cost to take my bike along?');
  await chat.expectAnswer(/£/);

  const lines = await chat.readLines();
  expect(lines.map(({ author }) => author)).toEqual(['agent', 'user', 'agent']);
  expect(lines[2]?.text.toLowerCase()).toContain('bicycle');
  await expect.poll(() => chunks.length - beforeQuestion, 'the answer came in pieces').toBeGreaterThan(3);
  await expect(chat.messages('agent').last().getByRole('link').last()).toHaveAttribute('href', /\/help\//);
  expect(await tokens.count()).toBe(1);
});

test('hands over to a person who has read the conversation, answers and says goodbye', async ({
  page,
  stack,
  chat,
}) => {
  await page.goto(stack.urls.demo);
  await chat.open();
  await chat.expectAnswer(/Ada/);
  await chat.say('Can I speak to a person, please?');
  await expect(chat.transcript).toContainText('I am Grace, a demonstration');
  await chat.say('My booking is KF-1234');
  await expect(chat.transcript).toContainText('Let me look that up');
  await chat.say('No thanks, goodbye');
  await expect(chat.transcript).toContainText('You are welcome. Goodbye!');
  await expect(chat.composer).toHaveAttribute('placeholder', 'Write to start a new chat…');
});

test('continues after a reload in mid-conversation, without a second greeting', async ({
  page,
  stack,
  chat,
  tokens,
}) => {
  await page.goto(stack.urls.demo);
  await chat.open();
  await chat.ask('Can I bring my dog?');
  const before = await chat.readLines();

  await page.reload();
  await chat.open();
  await chat.expectLines(before);
  await chat.ask('And what time is check-in?');
  expect(await tokens.count(), 'the same token came back through the ticket').toBe(1);
});

/** Returns the text of every storage that a page can read, and the names of its databases. */
const readStorages = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const databases = await indexedDB.databases();
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, databases.map(({ name }) => name)]);
  });

test('keeps a draft in its own tab, and removes it there when it is sent', async ({
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
  // Before the first message, only the state of the panel and the draft are stored, both in this tab only.
  const [local, session, databases] = JSON.parse(await readStorages(page));
  expect([local, Object.values(session).toSorted(), databases]).toEqual([
    {},
    ['none  Can I bring my dog?', 'open 0'],
    [],
  ]);
  expect(await readStorages(other)).not.toContain('dog');
  await second.composer.pressSequentially('Something else');
  await expect(chat.composer).toHaveValue('Can I bring my dog?');

  // A closed panel, and a later tab.
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

  // Nothing of the conversation is left for the next visitor, in any tab, even while one is typing.
  await third.composer.fill('Mine');
  await second.composer.focus();
  await late.evaluate(() => Reflect.get(window, 'Natter').logout());
  await expect(second.composer).toHaveValue('');
  await third.open();
  await expect(third.composer).toHaveValue('');
});
