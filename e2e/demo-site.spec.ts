import { expect, test } from './fixtures.ts';

const PAGES = [
  '',
  'timetable.html',
  'help',
  'help?q=dog',
  'help/pets',
  'help/car-fares',
  'book',
  'nowhere',
  'bench',
];

test('no page of the demo is wider than a window of 320 or 640 px', async ({ page, stack }) => {
  for (const width of [320, 640]) {
    await page.setViewportSize({ width, height: 700 });
    for (const path of PAGES) {
      await page.goto(`${stack.urls.demo}${path}`);
      const { scrollWidth, clientWidth } = await page.evaluate(() => ({
        scrollWidth: document.documentElement.scrollWidth,
        clientWidth: document.documentElement.clientWidth,
      }));
      expect(scrollWidth, `${path} at ${width} px`).toBeLessThanOrEqual(clientWidth);
    }
  }
});

test('an unknown address gets status 404 and a page with links', async ({ page, stack }) => {
  const response = await page.goto(`${stack.urls.demo}help/nothing-like-this`);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page has sailed');
  await page.getByRole('listitem').getByRole('link', { name: 'Help centre' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('How can we help?');
});

test('the help search lists the articles with all words, and shows the query as text', async ({
  page,
  stack,
}) => {
  await page.goto(`${stack.urls.demo}help`);
  const field = page.getByRole('searchbox', { name: 'Search help articles' });
  await field.fill('dog kennel');
  await field.press('Enter');
  await expect(page.getByRole('main').getByRole('link', { name: /pets/i })).toBeVisible();
  await expect(field).toHaveValue('dog kennel');
  await field.fill('"><b id="injected">');
  await field.press('Enter');
  await expect(page.getByRole('status')).toContainText('No article has these words.');
  await expect(page.locator('#injected')).toHaveCount(0);
});

test('the second skip link leads to the launcher, past all links of the page', async ({ page, stack }) => {
  await page.goto(stack.urls.demo);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the chat' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Chat' })).toBeFocused();
});

test('the agent answers about the route that is selected on the booking page', async ({
  page,
  inspected,
  chat,
}) => {
  await page.goto(inspected.urls.demo);
  await page.getByRole('link', { name: 'Book', exact: true }).click();
  await page.getByLabel('Route').selectOption('Port Hallan to Mewsay');
  await chat.open();
  await chat.ask('When is the next ferry?');
  await expect(chat.messages('agent').last()).toContainText('Port Hallan to Mewsay');
  await page.getByLabel('Route').selectOption('Port Hallan to Tarrow');
  await chat.ask('When is the next ferry?');
  await expect(chat.messages('agent').last()).toContainText('Port Hallan to Tarrow');
});
