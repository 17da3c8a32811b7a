import { expect, test } from './fixtures.ts';

test('waits for a payment on another page, and continues when it has arrived', async ({
  page,
  inspected,
  chat,
}) => {
  await page.goto(inspected.urls.demo);
  await chat.open();
  await chat.say('I would like to pay my balance');
  const link = chat.dialog.locator('a[href*="/pay/"]');
  await expect(link).toBeVisible();
  // The payment page is on the same site: it opens in this tab, and so does the chat there.
  await link.click();
  await page.getByRole('button', { name: 'Pay £42.00' }).click();
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
  await chat.expectAnswer(/Your payment has arrived, thank you/);
  // The visitor can write again.
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog|pet/i);
});
