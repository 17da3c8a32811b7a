import type { Page } from '@playwright/test';
import { COLOUR_RULES, findViolations } from './page/find-violations.ts';
import { expect, STATE_NAMES, test } from './page/gallery.ts';

const LANGUAGES = ['en', 'es', 'fr', 'de', 'pt', 'it', 'nl', 'pl', 'ar', 'he', 'ja', 'zh'];
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

test.describe.configure({ mode: 'parallel' });

/** Returns axe's findings in the widget, without the gallery's own page. */
const findFaults = (page: Page): Promise<readonly string[]> =>
  findViolations(page, { selector: 'natter-chat', tags: RULES });

/** Returns findings about colours, for a page that differs from an earlier one in colours only. */
const findColourFaults = (page: Page): Promise<readonly string[]> =>
  findViolations(page, { selector: 'natter-chat', rules: COLOUR_RULES });

const SMALL_PHONE = { width: 320, height: 568 };
const DESKTOP = { width: 1280, height: 800 };

for (const [index, state] of STATE_NAMES.entries()) {
  // The languages alternate, so that each shows several states.
  const language = LANGUAGES[index % LANGUAGES.length] ?? 'en';
  test(`axe finds no violation in the state ${state}: light, dark, in ${language}, and on a small screen`, async ({
    gallery,
    shared: page,
  }) => {
    await gallery.show(page, state);
    expect.soft(await findFaults(page), 'light').toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect.soft(await findColourFaults(page), 'dark').toEqual([]);
    await page.setViewportSize(SMALL_PHONE);
    await gallery.show(page, state);
    expect.soft(await findFaults(page), 'on a small screen').toEqual([]);
    const sideways = await page.evaluate(() => {
      const view = document.querySelector('natter-chat')?.shadowRoot?.querySelector('.viewport');
      return view ? view.scrollWidth - view.clientWidth : 0;
    });
    expect.soft(sideways, 'scrolls sideways').toBe(0);
    await page.setViewportSize(DESKTOP);
    await gallery.show(page, state, { language, dir: ['ar', 'he'].includes(language) ? 'rtl' : 'ltr' });
    expect.soft(await findFaults(page), language).toEqual([]);
  });
}

for (const accent of ['#ffe600', '#00a651', '#7a0019', '#ffffff', '#000000'] as const) {
  test(`every text is legible with the accent ${accent}`, async ({ gallery, shared: page }) => {
    for (const theme of ['light', 'dark']) {
      for (const state of ['conversation', 'failed', 'queue']) {
        await gallery.show(page, state, { theme, accent });
        expect.soft(await findColourFaults(page), `${state}, ${theme}`).toEqual([]);
      }
    }
  });
}

for (const look of ['bloom', 'desk', 'harbour', 'ink', 'paper'] as const) {
  test(`axe finds no violation in the theme ${look}`, async ({ gallery, shared: page }) => {
    for (const state of ['theme', 'failed', 'attachments']) {
      await page.emulateMedia({ colorScheme: 'light' });
      await gallery.show(page, state, { look });
      expect.soft(await findFaults(page), `${state}, light`).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect.soft(await findColourFaults(page), `${state}, dark`).toEqual([]);
    }
  });
}

/**
 * Returns text that is not fully legible: outside the panel or its button, cut by an element that does not scroll in
 * that direction, covered by a neighbour's text, or hyphenated on a control.
 */
function findCut(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const root = document.querySelector('natter-chat')?.shadowRoot;
    const shown = root?.querySelector('.panel, .teaser');
    if (!root || !shown) throw new Error('There is neither a panel nor a message at the launcher.');
    const faults: string[] = [];
    const seen: { readonly box: DOMRect; readonly text: Text; readonly control: Element }[] = [];
    const walker = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node as Text;
      const parent = text.parentElement;
      // Skipped: code and tables, which scroll; a field, whose text is its value; a long pasted text, which can be
      // unfolded.
      const isSkipped = !text.data.trim() || parent?.closest('.sr, .code, .table, textarea, svg, .cut');
      // The row of suggestions scrolls sideways, and each suggestion fits into it.
      const scrolled = parent?.closest('.suggestions > li');
      scrolled?.scrollIntoView({ block: 'nearest', inline: 'center' });
      if (!parent || isSkipped || !parent.checkVisibility({ opacityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const boxes = [...range.getClientRects()].filter(({ width }) => width > 1);
      const control = parent.closest('button, a.button, [role^=menuitem]');
      let isVertical = true;
      for (let within: Element | null = parent; within; within = within.parentElement) {
        const style = getComputedStyle(within);
        const isOwn = within === control && control.getClientRects().length === 1;
        // Text below the edge is reached by scrolling down; sideways scrolling does not count.
        if (/auto|scroll/.test(style.overflowY)) isVertical = false;
        const cuts = isOwn || style.overflowX !== 'visible' || within === shown;
        if (!cuts) continue;
        const edge = within.getBoundingClientRect();
        const isOutside = boxes.some(
          (box) =>
            box.left < edge.left - 1 ||
            box.right > edge.right + 1 ||
            // A line is somewhat higher than its letters.
            (isVertical && (box.top < edge.top - 4 || box.bottom > edge.bottom + 4)),
        );
        if (isOutside) faults.push(`.${within.className} cuts "${text.data}"`);
        if (within === shown) break;
      }
      if (control || parent.closest('.header')) {
        for (const { 0: word, index } of text.data.matchAll(/[^\s-]+/g)) {
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1) faults.push(`"${word}" is broken`);
        }
      }
      for (const box of control ? boxes : []) {
        for (const other of seen) {
          const isApart =
            other.control === control ||
            box.left > other.box.right - 1 ||
            box.right < other.box.left + 1 ||
            box.top > other.box.bottom - 6 ||
            box.bottom < other.box.top + 6;
          const isSameLayer = parent.closest('.menu') === other.text.parentElement?.closest('.menu');
          if (!isApart && isSameLayer) faults.push(`"${text.data}" lies on "${other.text.data}"`);
        }
        if (control && !parent.closest('.viewport, .suggestions, .home-body'))
          seen.push({ box, text, control });
      }
    }
    return [...new Set(faults)];
  });
}

const LARGE = { text: '2' };
for (const state of STATE_NAMES) {
  test(`nothing is cut off in the state ${state} with text twice as large, or a page zoomed to 200 % or 400 %`, async ({
    gallery,
    shared: page,
  }) => {
    const expectWhole = async (name: string) => expect.soft(await findCut(page), name).toEqual([]);
    await gallery.show(page, state, LARGE);
    for (const size of [DESKTOP, SMALL_PHONE]) {
      await page.setViewportSize(size);
      for (const language of ['en', 'de', 'pl']) {
        await gallery.change(page, { ...LARGE, language });
        await expectWhole(`large, ${language}, ${size.width} px`);
      }
    }
    for (const size of [
      { width: 640, height: 400 },
      { width: 320, height: 256 },
    ]) {
      await page.setViewportSize(size);
      await gallery.change(page, { language: 'de' });
      await expectWhole(`zoomed, ${size.width} px`);
    }
    await gallery.show(page, state, { ...LARGE, language: 'ar', dir: 'rtl' });
    for (const size of [SMALL_PHONE, DESKTOP]) {
      await page.setViewportSize(size);
      await gallery.change(page, { ...LARGE, language: 'ar' });
      await expectWhole(`large, ar, ${size.width} px`);
    }
  });
}

test.describe('with a finger', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });

  test('the composer has text of 16 px on touch screens, so that phones do not zoom in, and pages can still be zoomed', async ({
    gallery,
    page,
  }) => {
    for (const query of [{}, { mode: 'inline' }, { mode: 'fullscreen' }, { look: 'desk' }]) {
      await gallery.show(page, 'greeting', query);
      const field = page.locator('natter-chat').locator('textarea');
      const size = await field.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
      expect(size, JSON.stringify(query)).toBeGreaterThanOrEqual(16);
      await field.tap();
      const viewport = page.locator('meta[name=viewport]');
      await expect(viewport).toHaveAttribute(
        'content',
        'width=device-width, initial-scale=1, viewport-fit=cover',
      );
    }
  });
});

test('buttons that differ by shade have borders in forced colours', async ({ gallery, shared: page }) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  for (const [state, button] of [
    ['consent', '.gate .primary'],
    ['survey_stars', '.survey .primary'],
    ['confirm', '.choice .danger'],
  ] as const) {
    await gallery.show(page, state);
    const edge = await page.locator(button).evaluate((element) => {
      const { borderTopStyle, borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(element);
      return [borderTopStyle, borderTopWidth, borderTopColor !== backgroundColor];
    });
    expect(edge, state).toEqual(['solid', '1px', true]);
  }
});

test('nothing moves for visitors who prefer reduced motion', async ({ gallery, shared: page }) => {
  for (const state of ['typing', 'streaming', 'queue', 'offline', 'menu']) {
    await gallery.show(page, state);
    const moving = await page.evaluate(
      () => document.querySelector('natter-chat')?.shadowRoot?.getAnimations().length,
    );
    expect(moving, state).toBe(0);
  }
});

/**
 * Returns targets of which less than 44 px by 44 px can be hit: because they are small, or because another target
 * covers them. Links in the text of an answer may be as high as their lines.
 */
function findSmallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const root = document.querySelector('natter-chat')?.shadowRoot;
    if (!root) throw new Error('There is no widget.');
    const measure = (element: Element): readonly [width: number, height: number] => {
      const box = element.getBoundingClientRect();
      const isHit = (x: number, y: number): boolean =>
        element.contains(root.elementFromPoint(box.x + box.width / 2 + x, box.y + box.height / 2 + y));
      if (!isHit(0, 0)) return [0, 0];
      // A target may be larger than its visible part, and on one side only.
      const reach = (x: number, y: number): number => {
        let px = 0;
        while (px < 44 && isHit(x * (px + 4), y * (px + 4))) px += 4;
        while (px < 44 && isHit(x * (px + 1), y * (px + 1))) px += 1;
        return px;
      };
      // One pixel less, because the edge itself is not hit.
      return [reach(-1, 0) + reach(1, 0) + 2, reach(0, -1) + reach(0, 1) + 2];
    };
    const small: string[] = [];
    // The topmost layer, if there is one; a sheet covers the launcher.
    const top = root.querySelector('.lightbox, .menu') ?? root.querySelector('[data-layout=sheet]') ?? root;
    for (const element of top.querySelectorAll<HTMLElement>('button, a')) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      if (element.closest('.rich :is(p, li, td)')) continue;
      let [width, height] = measure(element);
      // The target may be out of view or at its edge, or the view may still scroll to its initial position.
      for (let tries = 0; Math.min(width, height) < 44 && tries < 5; tries += 1) {
        element.scrollIntoView({ block: 'center' });
        // A message with the focus shows its tools, which cover the next message.
        if (element.closest('.message')) element.focus({ preventScroll: true });
        // The button that scrolls to the latest message disappears there.
        await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        [width, height] = measure(element);
      }
      const name = `${element.className} "${element.ariaLabel ?? element.textContent}"`;
      if (Math.min(width, height) < 44) small.push(`${name}: ${width} x ${height}`);
    }
    return small;
  });
}

// Long words, short words, right-to-left text, and letters narrower than in any font.
const LETTERS = [{ language: 'de' }, {}, { fonts: 'half' }, { fonts: 'half', text: '0.8', density: '0.7' }];
for (const state of STATE_NAMES) {
  test(`every target in the state ${state} is 44 px high and wide in any font, or is in a line of text`, async ({
    gallery,
    shared: page,
  }) => {
    const expectLarge = async (name: string) => expect.soft(await findSmallTargets(page), name).toEqual([]);
    for (const size of [DESKTOP, SMALL_PHONE]) {
      await page.setViewportSize(size);
      await gallery.show(page, state);
      for (const letters of LETTERS) {
        await gallery.change(page, letters);
        await expectLarge(`${JSON.stringify(letters)}, ${size.width} px`);
      }
    }
    await gallery.show(page, state, { language: 'ar', dir: 'rtl' });
    await expectLarge('ar');
  });
}

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 680 } });

  test('on a touch screen the thumbs are on the line of the time, and stay there after the visitor is thanked', async ({
    gallery,
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await gallery.show(page, 'feedback');
    const last = page.locator('natter-chat .group').last();
    const boxOf = async (part: string) => {
      const box = await last.locator(part).first().boundingBox();
      if (!box) throw new Error(`${part} is not there.`);
      return { x: Math.round(box.x), middle: box.y + box.height / 2 };
    };
    const thumb = await boxOf('.thumb');
    expect(Math.abs(thumb.middle - (await boxOf('.time')).middle)).toBeLessThan(4);
    await last.locator('.thumb').first().tap();
    await last.locator('.reason textarea').fill('Clear');
    await last.locator('.reason [type=submit]').tap();
    await expect(last.locator('.feedback-status')).toHaveText('Thank you for your feedback.');
    expect((await boxOf('.thumb')).x).toBe(thumb.x);
    expect(await findFaults(page)).toEqual([]);
  });
});
