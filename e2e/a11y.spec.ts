import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { type Gallery, STATE_NAMES, startGallery } from './gallery.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

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

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing in any state, ${theme}`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const state of STATE_NAMES) {
      await gallery.show(page, state, { theme });
      expect(await findViolations(page), state).toEqual([]);
    }
  });
}

test('axe finds nothing on a small screen, and none of it scrolls sideways', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 320, height: 640 });
  for (const state of STATE_NAMES) {
    await gallery.show(page, state);
    expect(await findViolations(page), state).toEqual([]);
    const overflow = await page.evaluate(() => {
      const viewport = document.querySelector('natter-chat')?.shadowRoot?.querySelector('.viewport');
      return viewport ? viewport.scrollWidth - viewport.clientWidth : 0;
    });
    expect(overflow, state).toBe(0);
  }
});

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
