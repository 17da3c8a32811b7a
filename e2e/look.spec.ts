import { expect, test } from '@playwright/test';
import { type Gallery, startGallery } from './gallery.ts';

/**
 * Pictures of the widget, compared with those in docs/pictures. To add one, add a line below and run
 * `npm run pictures`; the same command accepts a look that was changed on purpose. Look at what it wrote.
 */
const PICTURES: readonly Picture[] = [
  // Beside a page.
  ...states('desktop-light', ['empty', 'greeting', 'conversation', 'queue', 'offline', 'survey', 'writing']),
  ...states('desktop-dark', ['markdown_end', 'image', 'live', 'failed', 'trouble', 'unavailable', 'confirm']),
  ...states('desktop-light', ['conversation'], { open: 'false' }),
  // On small screens, where the panel is a sheet, and filling the window.
  ...states('phone-light', ['attachments', 'ended']),
  ...states('phone-dark', ['conversation', 'lightbox']),
  ...states('phone-light', ['exact_time']),
  ...states('narrow-light', ['failed', 'menu']),
  ...states('narrow-dark', ['consent_policies']),
  ...states('tablet-dark', ['conversation'], { mode: 'fullscreen' }),
  // Right to left: the page's side, and the panel's language.
  ...states('desktop-light', ['rtl'], { dir: 'rtl', language: 'ar' }),
  ...states('desktop-dark', ['menu'], { dir: 'rtl', language: 'ar' }),
  ...states('narrow-dark', ['queue'], { dir: 'rtl', language: 'ar' }),
  // The ready themes.
  ...['bloom', 'desk', 'harbour', 'ink', 'paper'].flatMap((look) => [
    ...states('corner-light', ['theme'], { look }),
    ...states('corner-dark', ['theme'], { look }),
  ]),
  // Twice the text size.
  ...states('desktop-light', ['offline'], { text: '2' }),
  // In the system's own colours.
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

/** What is seen of a wide page: the widget's corner. */
const CORNER_PX = 448;

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

test.describe.configure({ mode: 'parallel' });
test.use({
  // A picture says what went wrong; a trace of every test takes longer than the test.
  trace: 'off',
  locale: 'en-GB',
  timezoneId: 'Europe/Berlin',
});

let gallery: Gallery;
test.beforeAll(async () => {
  gallery = await startGallery();
});
test.afterAll(() => gallery.close());

for (const picture of PICTURES) {
  const name = nameOf(picture);
  test(`looks as in docs/pictures/${name}.png`, async ({ page }) => {
    const { screen, scheme, state, query } = picture;
    const { width, height } = SCREENS[screen];
    await page.setViewportSize({ width, height });
    await page.emulateMedia({
      colorScheme: scheme === 'dark' ? 'dark' : 'light',
      reducedMotion: 'reduce',
      forcedColors: screen === 'forced' ? 'active' : 'none',
    });
    await page.clock.setFixedTime('2026-05-14T12:05:00Z');
    await gallery.show(page, state, { fonts: 'fixed', ...query });
    const isCorner = width > 2 * CORNER_PX && query['mode'] !== 'fullscreen';
    await expect(page).toHaveScreenshot(`${name}.png`, {
      ...(isCorner && {
        clip: { x: query['dir'] === 'rtl' ? 0 : width - CORNER_PX, y: 0, width: CORNER_PX, height },
      }),
    });
  });
}
