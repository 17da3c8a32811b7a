import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** Chunks of an answer that end within lines of its code. */
const PIECES = [
  'Add these lines:\n\n```js\n',
  'const chat = find("#chat");\nchat.op',
  'en();\nchat.addEventListener(',
  '"close", hide);\n```\n\nThen reload.',
];
const CODE_LINES = [
  'const chat = find("#chat");\n',
  'chat.open();\n',
  'chat.addEventListener("close", hide);\n',
];

/** An agent's answer with a replaced text, whose stream the test controls. */
interface ReplacedAnswer {
  /** Replaces the agent's next answers by `PIECES`, of which the first two arrive. */
  begin(): void;
  /** Lets the rest of the stream arrive. */
  release(): void;
}

async function replaceAnswer(page: Page): Promise<ReplacedAnswer> {
  const held: (() => void)[] = [];
  let state: 'own' | 'replaced' | 'held' | 'released' = 'own';
  await page.routeWebSocket(/\/ws\?/, (socket) => {
    socket.connectToServer().onMessage((message) => {
      const event = JSON.parse(String(message));
      if (state !== 'own' && event.type === 'EVENT_TYPE_AGENT_MESSAGE_CHUNK') {
        const { payload } = event;
        const rest = PIECES.slice(payload.chunk_index - 1);
        payload.text = payload.is_complete ? rest.join('') : (rest[0] ?? '');
        if (state === 'replaced' && payload.chunk_index > 2) state = 'held';
      }
      const send = (): void => socket.send(JSON.stringify(event));
      if (state === 'held') held.push(send);
      else send();
    });
  });
  return {
    begin: () => {
      state = 'replaced';
    },
    release: () => {
      state = 'released';
      for (const send of held) send();
    },
  };
}

test('sends a suggestion when it is tapped, and removes the suggestions', async ({ page, stack, chat }) => {
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

test('stores only the open panel of the tab before the visitor has written', async ({
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

test('ends the chat when the visitor confirms, and starts a new one', async ({ page, stack, chat }) => {
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

test('shows complete lines of code while it streams', async ({ page, stack, chat }) => {
  const answer = await replaceAnswer(page);
  await page.goto(stack.urls.demo);
  await chat.open();
  await chat.expectQuiet();
  const shown: string[] = [];
  await page.exposeFunction('noteCode', (text: string) => void shown.push(text));
  await chat.dialog.evaluate((dialog) => {
    new MutationObserver(() => {
      const text = dialog.querySelector('pre')?.textContent;
      if (text) Reflect.get(window, 'noteCode')(text);
    }).observe(dialog, { subtree: true, childList: true, characterData: true });
  });
  answer.begin();
  await chat.say('How do I add the chat to my page?');
  const code = chat.messages('agent').last().locator('pre');
  // The chunk with this line also contains half of the next one.
  await expect(code).toHaveText(CODE_LINES[0] ?? '');
  answer.release();
  await expect(chat.messages('agent').last()).toContainText('Then reload.');
  await expect(code).toHaveText(CODE_LINES.join(''));
  const wholeLines = CODE_LINES.map((_, index) =>
    CODE_LINES.slice(0, index + 1)
      .join('')
      .trim(),
  );
  for (const text of shown) expect(wholeLines).toContain(text.trim());
  expect(shown.length).toBeGreaterThan(1);
});
