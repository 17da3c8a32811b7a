import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import type { ChatPanel } from './page/chat-panel.ts';
import { readStored } from './page/read-stored.ts';

/** Sends a message and waits until the ticket is stored. */
async function talk(page: Page, chat: ChatPanel): Promise<void> {
  await chat.open();
  await chat.expectQuiet();
  const kept = page.waitForResponse((response) => response.url().endsWith('/v1/resume'));
  await chat.ask('Can I bring my dog?');
  expect((await kept).status()).toBe(200);
}

const findCookie = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name.startsWith('natter-'));

test('keeps the ticket in a cookie that no script can read, and resumes with it', async ({
  page,
  context,
  stack,
  chat,
  tokens,
}) => {
  await page.goto(stack.urls.demo);
  await talk(page, chat);
  const cookie = await findCookie(context);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
  await expect.poll(() => readStored(page)).toContain('"resumeTicket":"cookie"');
  expect(await readStored(page)).not.toContain('eyJ');

  await page.reload();
  await chat.open();
  await expect(chat.messages('agent')).toHaveCount(2);
  expect(await tokens.count(), 'the same token came back').toBe(1);
});

test('starts no conversation for a visitor who had one before, until the chat is opened', async ({
  page,
  stack,
  chat,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(stack.urls.demo);
  await talk(page, chat);
  await page.evaluate(() => Reflect.get(window, 'Natter').endChat());
  await expect.poll(() => readStored(page)).toContain('"values":[]');

  asked.length = 0;
  await page.reload({ waitUntil: 'networkidle' });
  expect(asked.filter((path) => /\/panel-[0-9a-f]{8}\.js$/.test(path))).toHaveLength(1);
  expect(asked.filter((path) => path.startsWith('/v1/'))).toEqual([]);
  await chat.open();
  await chat.expectAnswer(/Ada/);
});

test('notifies the page of a message when it arrives, and not again after a reload', async ({
  page,
  stack,
  chat,
}) => {
  await page.addInitScript(() => {
    const told: string[] = [];
    const listen = (natter: { on(name: string, handler: (value: { text: string }) => void): void }): void =>
      natter.on('message', ({ text }) => told.push(text));
    Reflect.set(window, 'told', told);
    Reflect.set(window, 'Natter', [listen]);
  });
  const countTold = (): Promise<number> => page.evaluate(() => Reflect.get(window, 'told').length);
  await page.goto(stack.urls.demo);
  await talk(page, chat);
  await expect.poll(countTold).toBe(2);

  await page.reload();
  await chat.open();
  await expect(chat.messages('agent')).toHaveCount(2);
  await chat.expectQuiet();
  expect(await countTold()).toBe(0);
  await chat.ask('And my cat?');
  await expect.poll(countTold).toBe(1);
});

test('removes the whole conversation on logout, after which its ticket is invalid', async ({
  page,
  context,
  stack,
  chat,
}) => {
  await page.goto(stack.urls.demo);
  await talk(page, chat);
  const cookie = await findCookie(context);
  await page.evaluate(() => Reflect.get(window, 'Natter').logout());
  await expect(chat.dialog).toBeHidden();
  expect(await findCookie(context)).toBeUndefined();
  await expect.poll(() => readStored(page)).toBe('{"values":[],"cookies":"","local":{}}');

  const resumed = await page.evaluate(
    async ([url = '', ticket = '']) => {
      const headers = { 'Content-Type': 'application/json' };
      const body = JSON.stringify({ resume_ticket: ticket });
      return (await fetch(url, { method: 'POST', headers, body })).status;
    },
    [`${stack.urls.proxy}v1/resume`, cookie?.value ?? ''],
  );
  expect(resumed).toBe(410);

  await chat.open();
  await chat.expectAnswer(/Ada/);
  await expect(chat.messages('user')).toHaveCount(0);
  await page.reload();
  await chat.open();
  await chat.expectAnswer(/Ada/);
  await expect(chat.messages('user')).toHaveCount(0);
});
