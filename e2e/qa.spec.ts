import { expect, test } from './fixtures.ts';

test('the QA page tells the widget everything that it has a control for, and lists what happens', async ({
  page,
  stack,
  chat,
}) => {
  await page.goto(stack.urls.qa);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const launcher = page.locator('natter-chat .launcher');
  const events = page.locator('tr[data-way="event"]');

  await press('Show a bubble');
  await expect(page.getByText('Can we help you to find a crossing?')).toBeVisible();
  await press('Hide the launcher');
  await expect(launcher).toBeHidden();
  await press('Show the launcher');
  await expect(launcher).toBeVisible();

  await press('Open');
  await expect(chat.dialog).toBeVisible();
  await expect(events.filter({ hasText: 'open' })).not.toHaveCount(0);
  await page.getByLabel('Theme').selectOption('dark');
  await expect(page.locator('natter-chat .frame')).toHaveAttribute('data-theme', 'dark');
  await page.getByLabel('Language').selectOption('de');
  await expect(page.locator('natter-chat .frame')).toHaveAttribute('lang', 'de');
  await page.getByLabel('Language').selectOption('');
  await expect(page.locator('natter-chat .frame')).toHaveAttribute('lang', 'en');

  await chat.ask('Can I bring my dog?');
  await expect(events.filter({ hasText: 'send{"text":"Can I bring my dog?"}' })).toHaveCount(1);
  await page.getByLabel('Visitor’s id').fill('maren');
  await press('Identify');
  await chat.ask('And my cat?');
  await expect(page.locator('tr[data-way="out"]').filter({ hasText: 'And my cat?' })).toContainText('maren');
  await press('Log out');
  await expect(chat.dialog).toBeHidden();
  await expect(events.filter({ hasText: 'end' })).not.toHaveCount(0);

  await press('Destroy');
  await expect(page.locator('natter-chat')).toHaveCount(0);
  await press('Open');
  await expect(page.getByText('There is no widget on the page.')).toBeVisible();
});

test('the QA page says what is wrong with the link after a reload too, and shows what it has examined', async ({
  page,
  stack,
}) => {
  await page.goto(stack.urls.qa);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const status = page.locator('#fault-status');
  await button('Offline').click();
  await expect(status).toHaveText('The platform cannot be reached.');
  await page.reload();
  await expect(button('Offline')).toHaveAttribute('aria-pressed', 'true');
  await expect(status).toHaveText('The platform cannot be reached.');
  await button('Slow (2 kB/s)').click();
  await expect(button('Slow (2 kB/s)')).toHaveAttribute('aria-pressed', 'true');
  await expect(status).toHaveText('The platform cannot be reached.');
  await button('Offline').click();
  await expect(status).toHaveText('Slow: 2 kB/s and 300 ms of delay.');
  await button('Slow (2 kB/s)').click();
  await expect(status).toHaveText('The link is good.');

  await button('Print the header').scrollIntoViewIfNeeded();
  await button('Examine').click();
  await expect(page.locator('#report')).toContainText('token proxy');
  await expect(page.locator('#report')).toBeInViewport();
});
