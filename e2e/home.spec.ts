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
  const pets = chat.dialog.getByRole('link', { name: /pets/i }).first();
  await expect(pets).toBeVisible();
  expect(new Set(sessions)).toEqual(new Set(['/v1/search']));
  expect(await page.evaluate(() => indexedDB.databases())).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  // A page of the same site opens in the same tab.
  await expect(page).toHaveURL(/\/help\//);

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
