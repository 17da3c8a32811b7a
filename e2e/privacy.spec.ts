import { expect, test } from './fixtures.ts';
import { findViolations } from './page/find-violations.ts';
import { readStored } from './page/read-stored.ts';

test('a visitor reads and deletes the stored data, and no tab, storage or platform has it afterwards', async ({
  page,
  stack,
  chat,
}) => {
  await page.context().addInitScript(() => {
    addEventListener('load', () => void Reflect.get(window, 'Natter').update({ features: 'privacy' }));
  });
  await page.goto(stack.urls.demo);
  await chat.open();
  await chat.ask('Can I bring my dog?');
  const other = await page.context().newPage();
  await other.goto(stack.urls.demo);
  await other.getByRole('button', { name: /^(open )?chat/i }).click();
  await expect(other.getByRole('log')).toContainText('Can I bring my dog?');

  // With the keyboard only.
  await chat.dialog.getByRole('button', { name: 'More' }).focus();
  await page.keyboard.press('Enter');
  await chat.dialog.getByRole('menuitem', { name: 'Your data' }).press('Enter');
  await expect(chat.dialog).toContainText('Messages: 3');
  expect(
    await findViolations(page, { selector: 'natter-chat', tags: ['wcag2a', 'wcag2aa', 'wcag22aa'] }),
  ).toEqual([]);
  const saved = page.waitForEvent('download');
  await chat.dialog.getByRole('button', { name: 'Download' }).press('Enter');
  const stream = await (await saved).createReadStream();
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const { platform } = JSON.parse(Buffer.concat(chunks).toString());
  expect(JSON.stringify(platform.events)).toContain('Can I bring my dog?');
  await chat.dialog.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await chat.dialog.getByRole('button', { name: 'Delete everything' }).press('Enter');
  await expect(chat.dialog).toContainText('has been deleted');

  await expect(other.getByRole('log')).not.toContainText('Can I bring my dog?');
  expect(JSON.stringify(await readStored(page))).not.toMatch(/dog|ticket/i);
  expect((await page.context().cookies()).filter(({ name }) => name.includes('natter'))).toEqual([]);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await page.keyboard.press('Enter');
  await chat.expectAnswer(/Ada/);
  await expect(chat.messages('user')).toHaveCount(0);
});
