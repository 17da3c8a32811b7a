import { defineConfig, devices } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium } from './test/find-chromium.ts';

const executablePath = findChromium();

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: false,
  // Every test brings up a stack of its own; two at a time is what a small machine carries.
  workers: 2,
  timeout: 180_000,
  // Reported as flaky when the second try passes: a busy machine is no defect.
  retries: 1,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 800 },
    launchOptions: { args: [...CHROMIUM_ARGS], ...(executablePath && { executablePath }) },
    trace: 'retain-on-failure',
  },
});
