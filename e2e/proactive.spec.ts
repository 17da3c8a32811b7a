import { findViolations } from './find-violations.ts';
import { expect, test } from './fixtures.ts';

const RULE = { id: 'fares', text: 'Can we help you to find a crossing?', from: 'Ada', page: '/' };

test('a proactive message is reached, opened and dismissed from the keyboard', async ({
  page,
  stack,
  chat,
}) => {
  await page.addInitScript((rule) => {
    addEventListener('load', () => void Reflect.get(window, 'Natter').update({ proactive: [rule] }));
  }, RULE);
  await page.goto(stack.urls.demo);
  const message = page.getByRole('button', { name: `Ada ${RULE.text}` });
  await expect(message).toBeVisible();
  expect(
    await findViolations(page, { selector: 'natter-chat', tags: ['wcag2a', 'wcag2aa', 'wcag22aa'] }),
  ).toEqual([]);
  const launcher = page.getByRole('button', { name: /^(open )?chat/i });
  await launcher.focus();
  await page.keyboard.press('Tab');
  await expect(message).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(chat.composer).toBeFocused();

  // The next session of a tab.
  await page.evaluate(() => sessionStorage.clear());
  await page.evaluate(() => Reflect.get(window, 'Natter').logout());
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await expect(message).toBeVisible();
  await launcher.focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Dismiss' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(message).toHaveCount(0);
  await expect(launcher).toBeFocused();
});
