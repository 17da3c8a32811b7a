import { expect, test } from './fixtures.ts';
import { readStored } from './page/read-stored.ts';

test('the home screen searches, starts no session before the visitor writes, and lists conversations, by keyboard', async ({
  page,
  stack,
  chat,
}) => {
  const sessions: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === 'POST' && pathname.startsWith('/v1/')) sessions.push(pathname);
  });
  await page.goto(`${stack.urls.demo}help`);
  await chat.launcher.focus();
  await page.keyboard.press('Enter');
  const write = chat.dialog.getByRole('button', { name: 'Send us a message' });
  await expect(write).toBeVisible();
  await expect(chat.dialog).toBeFocused();

  const search = chat.dialog.getByRole('searchbox');
  while (!(await search.evaluate((element) => element.matches(':focus')))) await page.keyboard.press('Tab');
  await page.keyboard.type('dog');
  const pets = chat.dialog.getByRole('button', { name: /pets/i }).first();
  await expect(pets).toBeVisible();
  expect(new Set(sessions)).toEqual(new Set(['/v1/search']));
  await pets.focus();
  await page.keyboard.press('Enter');
  await expect(chat.dialog.getByRole('region', { name: /pets/i })).toContainText('Dogs stay on a lead');
  await page.keyboard.press('Escape');
  await expect(pets).toBeFocused();
  await page.keyboard.press('Enter');
  expect(new Set(sessions)).toEqual(new Set(['/v1/search', '/v1/article']));
  expect(await page.evaluate(() => indexedDB.databases())).toEqual([]);
  const link = chat.dialog.getByRole('link', { name: 'Open on our website' });
  await link.focus();
  await page.keyboard.press('Enter');
  // A page of the same site opens in the same tab.
  await expect(page).toHaveURL(/\/help\/pets$/);

  await page.goto(`${stack.urls.demo}help`);
  await expect(write).toBeVisible();
  await write.focus();
  await page.keyboard.press('Enter');
  await expect(chat.composer).toBeFocused();
  await chat.ask('Can I bring my dog?');
  await chat.dialog.getByRole('button', { name: 'More' }).press('Enter');
  await chat.dialog.getByRole('menuitem', { name: 'End chat' }).press('Enter');
  await chat.dialog.getByRole('alertdialog').getByRole('button', { name: 'End chat' }).press('Enter');
  await expect(chat.dialog).toContainText('You ended this chat.');
  await expect.poll(async () => JSON.stringify(await readStored(page))).toContain('Can I bring my dog?');

  await page.reload();
  await chat.launcher.click();
  const kept = chat.dialog.getByRole('button', { name: /^Can I bring my dog\?/ });
  await kept.press('Enter');
  await expect(chat.messages('agent').last()).toContainText(/dog/i);
  await page.keyboard.press('Escape');
  await expect(kept).toBeFocused();
  await kept.press('Enter');
  await chat.dialog.getByRole('button', { name: 'New message' }).press('Enter');
  await expect(chat.composer).toBeFocused();
  await chat.expectAnswer(/Ada/);
  await expect(chat.messages('user')).toHaveCount(0);

  await chat.dialog.getByRole('button', { name: 'Home' }).press('Enter');
  await chat.dialog.getByRole('button', { name: 'Remove from this browser' }).press('Enter');
  await expect(kept).toHaveCount(0);
  expect(JSON.stringify(await readStored(page))).not.toContain('dog');
});

test('an earlier conversation is continued above a line, and what the agent and the team learn of it is listed', async ({
  page,
  stack,
  chat,
}) => {
  await page.addInitScript(() => {
    const sent: string[] = [];
    Reflect.set(window, 'sent', sent);
    addEventListener('load', () =>
      Reflect.get(window, 'Natter').on(
        'frame',
        ({ direction, text }: { readonly direction: string; readonly text: string }) => {
          if (direction === 'out') sent.push(text);
        },
      ),
    );
  });
  const metadataOf = async (type: string): Promise<readonly Record<string, string>[]> => {
    const sent: readonly string[] = await page.evaluate(() => Reflect.get(window, 'sent'));
    const frames = sent.map((text) => JSON.parse(text)).filter((frame) => frame.type === type);
    return frames.map(({ metadata }) => metadata?.custom ?? {});
  };
  await page.goto(`${stack.urls.demo}help?ref=newsletter`);
  await chat.launcher.click();
  await expect(chat.dialog.getByRole('list', { name: 'Popular articles' })).toBeVisible();
  await chat.dialog.getByRole('button', { name: 'Send us a message' }).click();
  await chat.ask('Can I bring my dog?');
  const [first] = await metadataOf('EVENT_TYPE_REQUEST_AGENT_JOIN');
  expect(first).toMatchObject({ page: `${stack.urls.demo}help`, language: 'en-US' });
  expect(first?.['earlier_conversation']).toBeUndefined();
  await chat.dialog.getByRole('button', { name: 'More' }).press('Enter');
  await chat.dialog.getByRole('menuitem', { name: 'End chat' }).press('Enter');
  await chat.dialog.getByRole('alertdialog').getByRole('button', { name: 'End chat' }).press('Enter');
  await expect(chat.dialog).toContainText('You ended this chat.');

  await chat.dialog.getByRole('button', { name: 'Home' }).press('Enter');
  await chat.dialog.getByRole('button', { name: /^Can I bring my dog\?/ }).press('Enter');
  await chat.dialog.getByRole('button', { name: 'Continue this conversation' }).press('Enter');
  await expect(chat.composer).toBeFocused();
  await expect(chat.transcript).toContainText('New chat');
  await expect(chat.messages('user')).toHaveCount(1);
  await expect(chat.messages('agent').last()).toBeInViewport();
  await chat.ask('And a cat?');
  const joins = await metadataOf('EVENT_TYPE_REQUEST_AGENT_JOIN');
  expect(joins).toHaveLength(2);
  expect(joins[1]?.['earlier_conversation']).toContain('Visitor: Can I bring my dog?');

  await chat.dialog.getByRole('button', { name: 'More' }).press('Enter');
  await chat.dialog.getByRole('menuitem', { name: 'Your data' }).press('Enter');
  await expect(chat.dialog).toContainText(
    /shared with us about you: current page, time zone, .*how your earlier conversation ended/,
  );
});
