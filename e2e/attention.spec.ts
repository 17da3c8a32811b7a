import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** Reports the tab as hidden or visible, because a headless browser has no other tab to switch to. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(Document.prototype, 'hidden', { value: hidden, configurable: true });
    Object.defineProperty(Document.prototype, 'visibilityState', {
      value: hidden ? 'hidden' : 'visible',
      configurable: true,
    });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}

const ask = (page: Page, text: string) =>
  page.evaluate((question) => Reflect.get(window, 'Natter').send(question), text);

test('an answer while the visitor is elsewhere shows at the launcher and in the page’s title', async ({
  page,
  stack,
  chat,
}) => {
  await page.goto(stack.urls.demo);
  const title = await page.title();
  await chat.open();
  await chat.expectAnswer(/Ada/);
  await page.keyboard.press('Escape');
  await ask(page, 'Can I bring my dog?');
  // The launcher's badge and name, and the beginning of the answer beside it.
  const launcher = page.getByRole('button', { name: /open chat, 1 unread message/i });
  await expect(launcher).toHaveText('1');
  const bubble = page.getByRole('button', { name: /dog|pet/i });
  await expect(bubble).toBeVisible();
  await expect(page).toHaveTitle(title);

  await setHidden(page, true);
  await expect(page).toHaveTitle(`(1) ${title}`);
  await ask(page, 'How much does it cost to take my bike along?');
  await expect(page).toHaveTitle(`(2) ${title}`);
  await page.evaluate(() => {
    document.title = 'Fares';
  });
  await expect(page).toHaveTitle('(2) Fares');
  await setHidden(page, false);
  await expect(page).toHaveTitle('Fares');
  await expect(page.getByRole('button', { name: /open chat, 2 unread messages/i })).toHaveText('2');

  await page.getByRole('button', { name: /bicycle|bike|£/i }).click();
  await expect(chat.dialog).toBeVisible();
  await expect(page.getByRole('button', { name: /unread/i })).toHaveCount(0);
});
