import { expect, test } from './visit.ts';

const LINKS = '<a href="/">Home</a> <a href="/two">Two</a>';

test('an unsent draft is there after a reload and on the next page, and gone after it is sent', async ({
  page,
  chat,
  visit,
}) => {
  await visit({ body: `<h1>Home</h1>${LINKS}`, pages: { '/two': `<h1>Two</h1>${LINKS}` } });
  await chat.open();
  await chat.expectQuiet();
  await chat.composer.pressSequentially('Can I bring');
  await page.reload();
  await expect(chat.composer).toHaveValue('Can I bring');
  await page.getByRole('link', { name: 'Two' }).click();
  await expect(page.getByRole('heading', { name: 'Two' })).toBeVisible();
  await expect(chat.composer).toHaveValue('Can I bring');
  await chat.composer.press('End');
  await chat.composer.pressSequentially(' my dog?');
  await chat.composer.press('Enter');
  await chat.expectAnswer(/dog|pet/i);
  await page.reload();
  await expect(chat.messages('user')).toHaveText(/Can I bring my dog\?/);
  await expect(chat.composer).toHaveValue('');
  await chat.composer.pressSequentially('A secret');
  await page.evaluate(() => Reflect.get(window, 'Natter').logout());
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toBe('{}');
});

test('no draft is kept on a site that forbids it', async ({ page, chat, visit }) => {
  await visit({ body: '<h1>Home</h1>', attributes: 'data-keep-draft="false"' });
  await chat.open();
  await chat.expectQuiet();
  await chat.composer.pressSequentially('Unkept');
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('Unkept');
  await page.reload();
  await chat.expectQuiet();
  await expect(chat.composer).toHaveValue('');
});
