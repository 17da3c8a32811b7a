import { ChatPanel } from './chat-panel.ts';
import { expect, test } from './fixtures.ts';
import { startInspectedStack } from './stack.ts';

test('waits for a payment that is made on another page, and goes on when it has arrived', async ({
  page,
  context,
}) => {
  const { urls, stop } = await startInspectedStack();
  await page.goto(urls.demo);
  const chat = new ChatPanel(page);
  await chat.open();
  await chat.say('I would like to pay my balance');
  const link = chat.dialog.locator('a[href*="/pay/"]');
  await expect(link).toBeVisible();
  const [till] = await Promise.all([context.waitForEvent('page'), link.click()]);
  await till.getByRole('button', { name: 'Pay £42.00' }).click();
  await expect(till.getByRole('heading', { name: 'Payment received' })).toBeVisible();
  await till.close();
  await chat.expectAnswer(/Your payment has arrived, thank you/);
  // The chat is the visitor's again.
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog|pet/i);
  await stop();
});
