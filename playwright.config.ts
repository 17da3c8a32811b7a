import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { defineConfig, devices } from '@playwright/test';
import { PATIENCE } from './e2e/patience.ts';
import { CHROMIUM_ARGS, findChromium } from './test/chromium/find-chromium.ts';

// The packages of this repository are read from their sources, so that no build has to come first.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, { ...context, conditions: [...context.conditions, '@natter/source'] }),
});

const executablePath = findChromium();
/** Letters and colours are drawn the same wherever pictures are compared. */
const DRAWING_ARGS = ['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb'];
const FONTCONFIG_FILE = fileURLToPath(new URL('test/chromium/fonts.conf', import.meta.url));

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup.ts',
  fullyParallel: false,
  // Each worker brings up a stack of its own; two at a time is what a small machine carries.
  workers: 2,
  timeout: 30_000 * PATIENCE,
  projects: [
    { name: 'smoke', testDir: 'e2e/smoke' },
    { name: 'full', testIgnore: '**/e2e/smoke/**' },
  ],
  expect: {
    timeout: 10_000 * PATIENCE,
    // Typefaces come with the packages and Chromium brings its own drawing, so that runs are alike to the pixel. A line
    // of small grey words is some hundred pixels, a hairline in the dark a few shades: e2e/look.spec.ts tries both.
    toHaveScreenshot: { pathTemplate: 'docs/pictures/{arg}{ext}', threshold: 0.05, maxDiffPixels: 40 },
  },
  reporter: [['list']],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      args: [...CHROMIUM_ARGS, ...DRAWING_ARGS],
      // Of a locale that is not installed Chromium makes one without letters beyond ASCII in the names of files.
      env: { ...process.env, FONTCONFIG_FILE, LC_ALL: 'C.UTF-8' },
      ...(executablePath && { executablePath }),
    },
    // Recording every test costs a sixth of all their time: `npx playwright test --trace on` does it for one.
    screenshot: 'only-on-failure',
  },
});
