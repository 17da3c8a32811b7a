import { expect, test } from './fixtures.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('uploads a picture to the site’s own server, by keyboard, and shows it again after a reload', async ({
  page,
  stack,
  chat,
}) => {
  // Registered at the start, because Playwright otherwise lets the browser open its dialog.
  const chooser = page.waitForEvent('filechooser');
  await page.addInitScript(() => {
    addEventListener('load', () => void Reflect.get(window, 'Natter').update({ features: 'files' }));
  });
  await page.goto(stack.urls.demo);
  await chat.open();
  await chat.expectAnswer(/Ada/);
  // The page enables this lazy part.
  await expect(chat.dialog.getByRole('button', { name: 'Add files' })).toBeVisible();
  await chat.composer.focus();
  await chat.composer.fill('This is the scratch on our car');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await (await chooser).setFiles({ name: 'deck 3.png', mimeType: 'image/png', buffer: PNG });
  await expect(chat.dialog.locator('.chosen-file')).toHaveAttribute('data-status', 'uploaded');
  await expect(chat.composer).toBeFocused();
  await page.keyboard.press('Enter');

  const picture = chat.messages('user').getByRole('link', { name: 'Open image: deck 3.png' });
  await expect(picture).toBeVisible();
  await expect(chat.messages('user')).toContainText('This is the scratch on our car');
  await chat.expectQuiet();
  await page.reload();
  await expect(picture).toBeVisible();
  const response = await page.request.get((await picture.getAttribute('href')) ?? '');
  expect([response.status(), response.headers()['content-type']]).toEqual([200, 'image/png']);
});
