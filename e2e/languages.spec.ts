import { readdirSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const LANGUAGES = readdirSync(new URL('../src/widget/locales/', import.meta.url)).flatMap(
  (file) => /^([a-z]{2})\.ts$/.exec(file)?.[1] ?? [],
);

/** Records the languages whose texts the page has requested, in order. */
function watchLanguages(page: Page): readonly string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const [, language] = /\/natter\/([a-z]{2})-[0-9a-f]{8}\.js$/.exec(request.url()) ?? [];
    if (language) asked.push(language);
  });
  return asked;
}

const setLanguage = (page: Page, tag: string): Promise<void> =>
  page.evaluate((wanted) => Reflect.get(window, 'Natter').setLanguage(wanted), tag);

test.describe('in a browser set to Hebrew', () => {
  test.use({ locale: 'he-IL' });

  test('mirrors the panel on a page in Hebrew', async ({ page, stack, chat }) => {
    const asked = watchLanguages(page);
    await page.addInitScript(() => {
      const turn = new MutationObserver(() => {
        Object.assign(document.documentElement, { lang: 'he', dir: 'rtl' });
        turn.disconnect();
      });
      turn.observe(document, { childList: true });
    });
    await page.goto(stack.urls.demo);
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    await page.getByRole('button', { name: 'צ׳אט', exact: true }).click();
    await expect(chat.composer).toHaveAttribute('placeholder', /כתיבת הודעה/);
    await expect(chat.dialog).toHaveAttribute('dir', 'rtl');
    await expect(page.getByRole('button', { name: 'סגירת הצ׳אט' })).toHaveCount(2);
    expect(asked).toEqual(['he']);

    const middle = (page.viewportSize()?.width ?? 0) / 2;
    const box = async (locator: ReturnType<Page['locator']>) => {
      const { x = 0, width = 0 } = (await locator.boundingBox()) ?? {};
      return { left: x, right: x + width };
    };
    const panel = await box(chat.dialog);
    expect(panel.right, 'the panel stands on the left').toBeLessThan(middle);
    const field = await box(chat.composer);
    const send = await box(chat.dialog.getByRole('button', { name: 'שליחת ההודעה' }));
    expect(send.right, 'the button stands left of the field').toBeLessThanOrEqual(field.left);
    await chat.expectQuiet();
    await chat.say('Can I bring my dog?');
    await expect(chat.messages('user')).toHaveCount(1);
    const bubble = await box(chat.messages('user').locator('.bubble'));
    expect(bubble.left - panel.left, 'what the visitor writes stands on the left').toBeLessThan(
      panel.right - bubble.right,
    );
  });
});

test('loads the texts of a language when it is shown, and no others', async ({ page, stack, chat }) => {
  const asked = watchLanguages(page);
  await page.goto(stack.urls.demo);
  await chat.open();
  expect(asked).toEqual(['en']);
  const languages = LANGUAGES.filter((language) => language !== 'en');
  for (const [index, language] of languages.entries()) {
    await setLanguage(page, language);
    await expect(page.locator('natter-chat .frame')).toHaveAttribute('lang', language);
    expect(asked).toEqual(['en', ...languages.slice(0, index + 1)]);
  }
});

test('speaks English when the texts do not load, says so, and tries again', async ({ page, stack, chat }) => {
  await page.goto(stack.urls.demo);
  await chat.open();
  await page.evaluate(() => {
    const errors: string[] = [];
    Reflect.set(window, 'errors', errors);
    Reflect.get(window, 'Natter').on('error', ({ code }: { code: string }) => errors.push(code));
  });
  await page.route(/\/de-[0-9a-f]{8}\.js$/, (route) => route.abort());
  await setLanguage(page, 'de-AT');
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'errors'))).toEqual(['STRINGS_NOT_LOADED']);
  await expect(page.getByRole('button', { name: 'Close chat' })).toHaveCount(2);
  // The failed address keeps failing, as in Firefox, which remembers modules that could not be fetched.
  await setLanguage(page, 'de-AT');
  await expect(page.getByRole('button', { name: 'Chat schließen' })).toHaveCount(2);
});
