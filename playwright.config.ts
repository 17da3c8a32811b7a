import { defineConfig, devices } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium } from './test/find-chromium.ts';

const executablePath = findChromium();
/** Letters and colours are drawn the same wherever pictures are compared. */
const DRAWING_ARGS = ['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb'];

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: false,
  // Every test brings up a stack of its own; two at a time is what a small machine carries.
  workers: 2,
  timeout: 180_000,
  // Reported as flaky when the second try passes: a busy machine is no defect.
  retries: 1,
  expect: {
    timeout: 30_000,
    // Other machines draw the edges of letters a little differently; a colour or a place that changed is more than that.
    toHaveScreenshot: { pathTemplate: 'docs/pictures/{arg}{ext}', maxDiffPixelRatio: 0.01 },
  },
  reporter: [['list']],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 800 },
    launchOptions: { args: [...CHROMIUM_ARGS, ...DRAWING_ARGS], ...(executablePath && { executablePath }) },
    trace: 'retain-on-failure',
  },
});
