import { expect, test } from './fixtures.ts';

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

test('sends a suggestion when it is tapped, and takes the suggestions away', async ({
  page,
  stack,
  chat,
}) => {
  await page.goto(stack.urls.demo);
  await chat.open();
  await chat.expectQuiet();
  const suggestion = chat.dialog.locator('.suggestions').getByRole('button').first();
  const text = (await suggestion.textContent()) ?? '';
  await suggestion.click();
  await expect(chat.messages('user')).toHaveCount(1);
  await expect(chat.messages('user')).toContainText(text.trim());
  await expect(chat.dialog.getByRole('button', { name: text.trim(), exact: true })).toHaveCount(0);
  await expect(chat.messages('agent')).toHaveCount(2);
  await chat.expectQuiet();
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

test('goes on after a reload in mid-conversation, without a second greeting', async ({
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

test('stores nothing but the open panel of the tab before the visitor has written something', async ({
  page,
  context,
  stack,
  chat,
}) => {
  await page.goto(stack.urls.demo);
  await chat.open();
  await chat.expectQuiet();
  const stored = await page.evaluate(async () => ({
    databases: (await indexedDB.databases()).map(({ name }) => name),
    local: { ...localStorage },
    session: Object.values({ ...sessionStorage }),
    cookies: document.cookie,
  }));
  expect(stored).toEqual({ databases: [], local: {}, session: ['open 0'], cookies: '' });
  expect(await context.cookies()).toEqual([]);
});

test('ends when the visitor says so, and starts anew', async ({ page, stack, chat }) => {
  await page.goto(stack.urls.demo);
  await chat.open();
  await chat.expectQuiet();
  await chat.say('thank you, goodbye');
  await expect(chat.dialog.getByRole('button', { name: /start a new chat/i })).toBeVisible();
  await expect(chat.composer).toHaveAttribute('placeholder', 'Write to start a new chat…');
  await chat.dialog.getByRole('button', { name: /start a new chat/i }).click();
  await expect(chat.messages('agent')).toHaveCount(1);
  await chat.expectQuiet();
  await expect(chat.composer).toBeEditable();
});
