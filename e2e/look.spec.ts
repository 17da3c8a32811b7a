import type { Page } from '@playwright/test';
import { expect, type Gallery, test } from './page/gallery.ts';

/**
 * Pictures of the widget, compared with those in docs/pictures. To add one, add a line below and run
 * `npm run generate -- pictures`. The same command accepts an intended change of the look. Check its output.
 */
const PICTURES: readonly Picture[] = [
  // Beside a page.
  ...states('desktop-light', [
    'empty',
    'greeting',
    'conversation',
    'queue',
    'offline',
    'survey',
    'survey_stars',
    'writing',
  ]),
  ...states('desktop-dark', [
    'markdown_end',
    'image',
    'live',
    'failed',
    'trouble',
    'unavailable',
    'confirm',
    'elsewhere',
  ]),
  ...states('desktop-light', ['conversation'], { open: 'false' }),
  // On small screens, where the panel is a sheet, and filling the window.
  ...states('phone-light', ['attachments', 'ended', 'elsewhere']),
  ...states('phone-dark', ['conversation', 'lightbox']),
  ...states('phone-light', ['exact_time', 'files']),
  ...states('desktop-dark', ['privacy', 'home_search', 'emoji']),
  ...states('desktop-light', ['home', 'contact', 'feedback', 'emoji', 'proactive']),
  ...states('phone-light', ['home_past', 'home_article', 'stopping']),
  ...states('phone-dark', ['away', 'dictation', 'proactive']),
  ...states('narrow-light', ['failed', 'menu']),
  ...states('narrow-dark', ['consent_policies']),
  ...states('narrow-light', ['greeting'], { mode: 'fullscreen' }),
  ...states('tablet-dark', ['conversation'], { mode: 'fullscreen' }),
  ...states('desktop-light', ['markdown'], { mode: 'fullscreen' }),
  // In the page.
  ...states('narrow-light', ['conversation'], { mode: 'inline' }),
  ...states('tablet-dark', ['attachments'], { mode: 'inline' }),
  ...states('desktop-light', ['menu'], { mode: 'inline' }),
  // Right to left: the page's side, and the panel's language.
  ...states('desktop-light', ['rtl'], { dir: 'rtl', language: 'ar' }),
  ...states('desktop-dark', ['menu'], { dir: 'rtl', language: 'ar' }),
  ...states('narrow-dark', ['queue'], { dir: 'rtl', language: 'ar' }),
  ...states('tablet-light', ['rtl'], { dir: 'rtl', language: 'ar', mode: 'fullscreen' }),
  ...states('tablet-dark', ['rtl'], { dir: 'rtl', language: 'ar', mode: 'inline' }),
  // The themes.
  ...['bloom', 'desk', 'harbour', 'ink', 'paper'].flatMap((look) => [
    ...states('corner-light', ['theme'], { look }),
    ...states('corner-dark', ['theme'], { look }),
  ]),
  // Twice the text size.
  ...states('desktop-light', ['offline'], { text: '2' }),
  ...states('narrow-light', ['survey'], { text: '2', language: 'de' }),
  // In forced colours.
  ...states('forced-light', ['markdown']),
  ...states('forced-dark', ['failed']),
];

interface Picture {
  readonly screen: keyof typeof SCREENS;
  readonly scheme: string;
  readonly state: string;
  readonly query: Readonly<Record<string, string>>;
}

const SCREENS = {
  narrow: { width: 320, height: 568 },
  phone: { width: 360, height: 680 },
  tablet: { width: 768, height: 800 },
  desktop: { width: 1280, height: 720 },
  corner: { width: 1280, height: 580 },
  forced: { width: 1280, height: 720 },
} as const;

/** The visible part of a wide page: the widget's corner. */
const CORNER_PX = 448;
/** The visible part of a page around an inline widget. */
const EDGE_PX = 8;

interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function states(
  look: `${keyof typeof SCREENS}-${'light' | 'dark'}`,
  names: readonly string[],
  query: Readonly<Record<string, string>> = {},
): readonly Picture[] {
  const [screen, scheme] = look.split('-') as [keyof typeof SCREENS, string];
  return names.map((state) => ({ screen, scheme, state, query }));
}

function nameOf({ state, screen, scheme, query }: Picture): string {
  const { dir, mode, open, look, text } = query;
  const name = dir === 'rtl' && state !== 'rtl' ? `${state}-rtl` : state;
  return [name, look, mode, open === 'false' && 'closed', text && 'large', screen, scheme]
    .filter(Boolean)
    .join('-');
}

/** Returns the part of the page in a picture: the widget and a little of its surroundings. */
async function clipOf(page: Page, { screen, query }: Picture): Promise<{ clip?: Clip }> {
  const { width, height } = SCREENS[screen];
  if (query['mode'] === 'inline') {
    const box = await page.locator('natter-chat').boundingBox();
    if (!box) throw new Error('The widget does not stand in the page.');
    const [x, y] = [box.x - EDGE_PX, box.y - EDGE_PX];
    return { clip: { x, y, width: box.width + 2 * EDGE_PX, height: box.height + 2 * EDGE_PX } };
  }
  if (query['mode'] === 'fullscreen' || width < 2 * CORNER_PX) return {};
  return { clip: { x: query['dir'] === 'rtl' ? 0 : width - CORNER_PX, y: 0, width: CORNER_PX, height } };
}

test.describe.configure({ mode: 'parallel' });

/** Shows a state as in its picture. */
async function show(gallery: Gallery, page: Page, { screen, scheme, state, query }: Picture): Promise<void> {
  await page.setViewportSize(SCREENS[screen]);
  await page.emulateMedia({
    colorScheme: scheme === 'dark' ? 'dark' : 'light',
    forcedColors: screen === 'forced' ? 'active' : 'none',
  });
  // Without the page's own text, which uses system fonts.
  await gallery.show(page, state, { alone: 'true', ...query });
}

for (const picture of PICTURES) {
  const name = nameOf(picture);
  test(`the widget looks as in docs/pictures/${name}.png`, async ({ gallery, shared: page }) => {
    await show(gallery, page, picture);
    await expect(page).toHaveScreenshot(`${name}.png`, await clipOf(page, picture));
  });
}

/** Removed small elements, in dark and in light. */
const GONE: readonly (readonly [what: string, picture: string, selector: string])[] = [
  ['the word for the agent, 12 px and grey', 'greeting-desktop-light', '.speaker .tag'],
  ['a line under a message, 12 px and grey', 'conversation-phone-dark', '.delivery'],
  ['the line below the name', 'trouble-desktop-dark', '.who-role'],
  ['the hairline below the header', 'trouble-desktop-dark', '.header'],
  ['the corners of the panel', 'trouble-desktop-dark', '.panel'],
];
for (const [what, name, selector] of GONE) {
  test(`a comparison of pictures detects a missing element: ${what}`, async ({ gallery, shared: page }) => {
    const picture = PICTURES.find((one) => nameOf(one) === name);
    if (!picture) throw new Error(`There is no picture ${name}.`);
    await show(gallery, page, picture);
    await page
      .locator(selector)
      .last()
      .evaluate((element: HTMLElement) => {
        if (element.matches('.panel')) element.style.borderRadius = '0';
        else if (element.matches('.header')) element.style.borderColor = 'transparent';
        else element.style.visibility = 'hidden';
      });
    await expect(page).not.toHaveScreenshot(`${name}.png`, await clipOf(page, picture));
  });
}
