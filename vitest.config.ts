import { spawnSync } from 'node:child_process';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

const conditions = ['@natter/source'];

/** The browser for the widget's tests: the one that is named, one that is installed, or Playwright's own. */
function findChromium(): string | undefined {
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const found = names
    .map((name) => spawnSync('which', [name], { encoding: 'utf8' }).stdout?.trim())
    .find(Boolean);
  return process.env['NATTER_CHROMIUM'] || found;
}

const executablePath = findChromium();

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: { conditions: [...conditions, 'module'] },
  ssr: { resolve: { conditions: [...conditions, 'node', 'module'], externalConditions: conditions } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: [
            'src/{protocol,client,widget}/**/*.test.ts',
            'server-*/src/**/*.test.ts',
            'test/**/*.test.ts',
            'bench/**/*.test.ts',
            'demo/**/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        // Vite's own conditions come first in a browser, so that packages give their browser builds.
        resolve: { conditions: [...conditions, 'module', 'browser', 'import', 'default'] },
        optimizeDeps: {
          include: ['preact', 'preact/hooks', 'preact/jsx-dev-runtime', '@preact/signals', 'fast-check'],
        },
        test: {
          name: 'browser',
          include: ['src/{widget,embed}/**/*.test.tsx', 'src/embed/**/*.test.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: {
                ...(executablePath ? { executablePath } : {}),
                args: [
                  '--no-sandbox',
                  '--disable-gpu',
                  '--disable-quic',
                  '--no-first-run',
                  '--disable-background-networking',
                  '--disable-component-update',
                  '--disable-sync',
                ],
              },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
