import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { findViolations } from './page/find-violations.ts';
import { expect, type Gallery, test } from './page/gallery.ts';

let gallery: Gallery;
test.beforeAll(({ gallery: started }) => {
  gallery = started;
});

/** Saves the state of the gallery as a page, from the menu. */
async function save(page: Page, state: string, query: Readonly<Record<string, string>>): Promise<string> {
  await gallery.show(page, state, query);
  const download = page.waitForEvent('download');
  await page.locator('.menu-anchor > button').click();
  await page.locator('[role=menuitem][aria-haspopup]').click();
  await page.getByRole('menuitem', { name: 'HTML' }).click();
  return readFileSync(await (await download).path(), 'utf8');
}

/** Returns the number of sheets of a document. */
const countSheets = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;

for (const [name, state, query] of [
  ['from left to right', 'markdown', {}],
  ['from right to left', 'rtl', { language: 'ar', dir: 'rtl' }],
] as const) {
  test(`a saved page ${name} sends no request, passes axe, and fits a phone and a sheet of paper`, async ({
    page,
    context,
  }) => {
    const html = await save(page, state, query);
    const file = await context.newPage();
    const faults: string[] = [];
    file.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    file.on('request', (request) => faults.push(request.url()));
    await file.setContent(html);
    for (const colorScheme of ['light', 'dark'] as const) {
      await file.emulateMedia({ colorScheme });
      expect(await findViolations(file)).toEqual([]);
    }
    await file.setViewportSize({ width: 320, height: 640 });
    expect(await file.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    expect(faults).toEqual([]);
    const pdf = await file.pdf({ format: 'A4', path: test.info().outputPath(`${state}.pdf`) });
    expect(countSheets(pdf)).toBeGreaterThan(0);
    await file.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await file.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    );
  });
}

test('printing a page omits launcher and panel, and prints the whole conversation if that is the page', async ({
  page,
}) => {
  await page.setViewportSize({ width: 600, height: 500 });
  await gallery.show(page, 'markdown');
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.launcher')).toBeHidden();
  await expect(page.locator('.panel')).toBeHidden();
  await page.emulateMedia({ media: null });

  await gallery.show(page, 'markdown', { mode: 'fullscreen', theme: 'dark' });
  await page.emulateMedia({ media: 'print' });
  const { height, hidden, end } = await page.evaluate(() => {
    const root = document.querySelector('natter-chat')?.shadowRoot;
    const viewport = root?.querySelector('.viewport');
    return {
      height: viewport?.clientHeight ?? 0,
      hidden: (viewport?.scrollHeight ?? 0) - (viewport?.clientHeight ?? 0),
      end: root?.querySelector('.footer')?.checkVisibility(),
    };
  });
  expect(height).toBeGreaterThan(500);
  expect(hidden).toBeLessThanOrEqual(0);
  expect(end).toBe(false);
  const pdf = await page.pdf({ format: 'A5', path: test.info().outputPath('fullscreen.pdf') });
  expect(countSheets(pdf)).toBeGreaterThan(1);
});

test('Escape closes only the large picture, and returns the focus to it', async ({ page }) => {
  await gallery.show(page, 'image', { focus: 'true' });
  const picture = page.getByRole('link', { name: 'Open image: Cabin, deck 6' });
  await picture.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Cabin, deck 6' });
  await expect(dialog).toBeVisible();
  // Tab cycles through the dialog and the browser's own bar, never to the page behind.
  for (let presses = 0; presses < 6; presses += 1) {
    await page.keyboard.press('Tab');
    const where = await page.evaluate(() => {
      const active = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
      return active === document.body || active?.closest('dialog') !== null;
    });
    expect(where).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(picture).toBeFocused();
  await expect(page.locator('.panel')).toBeVisible();
});

test('says in the menu that the code for saving did not load, and opens a picture in a tab without the lightbox', async ({
  page,
  context,
}) => {
  await page.route(/\/assets\/(?:save|open-lightbox)-/, (route) => route.abort());
  await gallery.show(page, 'image');
  await page.locator('.menu-anchor > button').click();
  await page.getByRole('menuitem', { name: 'Download transcript' }).click();
  await page.getByRole('menuitem', { name: 'TXT' }).click();
  await expect(page.getByRole('alert')).toHaveText(
    'We couldn’t reach the chat. Check your connection and try again.',
  );
  expect(await findViolations(page, { selector: 'natter-chat' })).toEqual([]);
  // Escape returns to the first step, then closes the menu.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  const tab = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Open image: Cabin, deck 6' }).click();
  const opened = await tab;
  await opened.waitForURL(/picture\.svg/);
  expect(await opened.evaluate(() => window.opener)).toBeNull();
  await expect(page.getByRole('dialog', { name: 'Cabin, deck 6' })).toHaveCount(0);
});
