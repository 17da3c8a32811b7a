import { expect, test } from './fixtures.ts';
import { findViolations } from './page/find-violations.ts';

const RULE = { id: 'fares', text: 'Can we help you to find a crossing?', from: 'Ada', page: '/' };

test('a proactive message is reached, opened and dismissed with the keyboard', async ({
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
  // It is the first message of the chat, instead of the greeting.
  await expect(chat.transcript).toContainText(RULE.text);
  await chat.say('Which ferry goes to Farholm?');
  await chat.expectAnswer(/Farholm/);
  await page.reload();
  await expect(chat.transcript).toContainText(RULE.text);

  // Simulates the next tab session.
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

test('a proactive message of the maximum length is shown in full, beside the launcher and in the chat', async ({
  page,
  stack,
  chat,
}) => {
  const text =
    'The 09:45 to Tarrow is full on Saturday, but there is room for cars on the 11:15 and the 13:30 sailings. Shall we help you to change your booking in a minute?';
  expect(text).toHaveLength(158);
  await page.addInitScript(
    (rule) => {
      addEventListener('load', () => void Reflect.get(window, 'Natter').update({ proactive: [rule] }));
    },
    { ...RULE, text },
  );
  await page.goto(stack.urls.demo);
  await page.getByRole('button', { name: `Ada ${text}` }).click();
  await expect(chat.transcript).toContainText(text);
});

test('a proactive message, its sender and the chat that it begins are in the visitor’s language', async ({
  page,
  stack,
  chat,
}) => {
  await page.addInitScript(
    ({ id, text, texts }) => {
      const localized = { de: { agentName: 'Adelheid' } };
      const options = {
        language: 'de',
        agentName: 'Ada',
        localized,
        proactive: [{ id, text, texts, page: '/' }],
      };
      addEventListener('load', () => void Reflect.get(window, 'Natter').update(options));
    },
    { id: 'fares', text: 'Can we help?', texts: { de: 'Können wir helfen?' } },
  );
  await page.goto(stack.urls.demo);
  await expect(page.getByRole('button', { name: 'Adelheid Können wir helfen?' })).toBeVisible();
  // It begins the chat on the next page as well.
  await page.reload();
  await chat.launcher.click();
  await expect(chat.transcript).toContainText('Können wir helfen?');
});
