import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { type Gallery, STATE_NAMES, startGallery } from './gallery.ts';

const LANGUAGES = ['en', 'es', 'fr', 'de', 'pt', 'it', 'nl', 'pl', 'ar', 'he', 'ja', 'zh'];
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

test.describe.configure({ mode: 'parallel' });
// A trace of a hundred pages takes longer than the tests.
test.use({ trace: 'off' });

let gallery: Gallery;
test.beforeAll(async () => {
  gallery = await startGallery();
});
test.afterAll(() => gallery.close());

/** What axe finds in the widget; the gallery's own page is not looked at. */
async function findViolations(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).include('natter-chat').withTags(RULES).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}

for (const [index, state] of STATE_NAMES.entries()) {
  // The languages in turn, so that each shows several states.
  const language = LANGUAGES[index % LANGUAGES.length] ?? 'en';
  test(`axe finds nothing in the state ${state}: light, dark, in ${language}, and on a small screen`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const dir = ['ar', 'he'].includes(language) ? 'rtl' : 'ltr';
    for (const query of [{ theme: 'light' }, { theme: 'dark' }, { language, dir }]) {
      await gallery.show(page, state, query);
      expect(await findViolations(page), JSON.stringify(query)).toEqual([]);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    await gallery.show(page, state);
    expect(await findViolations(page), 'small').toEqual([]);
    const sideways = await page.evaluate(() => {
      const view = document.querySelector('natter-chat')?.shadowRoot?.querySelector('.viewport');
      return view ? view.scrollWidth - view.clientWidth : 0;
    });
    expect(sideways, 'scrolls sideways').toBe(0);
  });
}

for (const accent of ['#ffe600', '#00a651', '#7a0019', '#ffffff', '#000000'] as const) {
  test(`the brand colour ${accent} leaves every text readable`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const theme of ['light', 'dark']) {
      for (const state of ['conversation', 'failed', 'queue']) {
        await gallery.show(page, state, { theme, accent });
        expect(await findViolations(page), `${state}, ${theme}`).toEqual([]);
      }
    }
  });
}

for (const look of ['bloom', 'desk', 'harbour', 'ink', 'paper'] as const) {
  test(`axe finds nothing in the ready theme ${look}`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const theme of ['light', 'dark']) {
      for (const state of ['theme', 'failed', 'attachments']) {
        await gallery.show(page, state, { theme, look });
        expect(await findViolations(page), `${state}, ${theme}`).toEqual([]);
      }
    }
  });
}

/** What is wider than the panel, or higher than what shows it, and so cannot be read. */
function findCut(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const panel = document.querySelector('natter-chat')?.shadowRoot?.querySelector('.panel');
    if (!panel) throw new Error('There is no panel.');
    const { left, right } = panel.getBoundingClientRect();
    // Names and sources are cut with an ellipsis on purpose; code and tables scroll in themselves.
    const elements = [...panel.querySelectorAll<HTMLElement>('*')].filter(
      (element) =>
        element.checkVisibility() &&
        element.textContent?.trim() &&
        !element.closest('.sr, .code, .table, .who-name, .speaker-name, .source, .suggestion, .field'),
    );
    return elements
      .filter((element) => {
        const box = element.getBoundingClientRect();
        const hides = getComputedStyle(element).overflowY === 'hidden';
        return (
          box.left < left - 1 || box.right > right + 1 || (hides && element.scrollHeight > box.height + 1)
        );
      })
      .map((element) => `${element.localName}.${element.className}: ${element.textContent?.slice(0, 40)}`);
  });
}

for (const [name, size, query] of [
  ['text twice as large', { width: 1280, height: 800 }, { text: '2' }],
  ['text twice as large on a phone', { width: 360, height: 740 }, { text: '2' }],
  ['a page zoomed to 200 %', { width: 640, height: 400 }, {}],
  ['a page zoomed to 400 %', { width: 320, height: 256 }, {}],
] as const) {
  test(`nothing is cut with ${name}`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize(size);
    for (const state of STATE_NAMES) {
      await gallery.show(page, state, query);
      expect(await findCut(page), state).toEqual([]);
    }
  });
}

test('nothing moves for whoever wants less motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const state of ['typing', 'streaming', 'queue', 'offline', 'menu']) {
    await gallery.show(page, state);
    const moving = await page.evaluate(
      () => document.querySelector('natter-chat')?.shadowRoot?.getAnimations().length,
    );
    expect(moving, state).toBe(0);
  }
});

test('everything that is pressed is at least 44 px high and wide, or stands in a line of text', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const state of STATE_NAMES) {
    await gallery.show(page, state);
    const small = await page.evaluate(() => {
      const root = document.querySelector('natter-chat')?.shadowRoot;
      const inset = (element: Element): { readonly x: number; readonly y: number } => {
        // A target may be larger than what is seen of it.
        const { content, top, left } = getComputedStyle(element, '::after');
        const grow = (value: string): number =>
          content === 'none' ? 0 : Math.max(0, -Number.parseFloat(value));
        return { x: 2 * grow(left), y: 2 * grow(top) };
      };
      return [...(root?.querySelectorAll('button, a, [role=menuitem]') ?? [])]
        .filter((element) => element.checkVisibility() && element.closest('.rich') === null)
        .map((element) => {
          const { width, height } = element.getBoundingClientRect();
          const { x, y } = inset(element);
          return { name: element.className, width: width + x, height: height + y };
        })
        .filter(({ width, height }) => height < 44 || width < 24);
    });
    expect(small, state).toEqual([]);
  }
});
