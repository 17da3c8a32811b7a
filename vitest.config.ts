import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { PATIENCE } from './e2e/patience.ts';
import { CHROMIUM_ARGS, findChromium } from './test/chromium/find-chromium.ts';
import { LongestFirst } from './test/vitest/longest-first.ts';

const conditions = ['@natter/source'];

// Tiers go by the name of a file: `.full` runs in `npm run test:full` alone, `.storage` there once more on PostgreSQL.
const ON_NODE = [
  'src/{protocol,client,bindings,widget}',
  'server-*/src',
  'test',
  'scripts',
  'labs',
  'demo',
  'console',
];
const FULL = '**/*.full.test.ts';

// How long a test waits for what is to come: less than its own limit, so that a failure names what was not so.
const WAIT_MS = 10_000 * PATIENCE;
const LONG_WAIT_MS = 45_000 * PATIENCE;

const node = {
  environment: 'node',
  // Node reads the 180 kB of its package.json anew for each import within it: half a second for every file of tests.
  server: { deps: { inline: ['drizzle-orm'] } },
  setupFiles: ['test/vitest/leave-worker-clean.ts'],
  // Programs that tests start compile the same sources again and again.
  env: { NODE_COMPILE_CACHE: join(tmpdir(), 'natter-compile-cache'), TEST_PATIENCE_MS: String(WAIT_MS) },
  // Many embedded databases in one process can end it where the processor protects the pages of compiled code
  // (nodejs/node 64500).
  execArgv: ['--no-memory-protection-keys'],
};

const executablePath = findChromium();

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  resolve: { conditions: [...conditions, 'module'] },
  ssr: { resolve: { conditions: [...conditions, 'node', 'module'], externalConditions: conditions } },
  test: {
    // A test that waits for what never comes says so in seconds. One that needs longer names its reason.
    testTimeout: 15_000 * PATIENCE,
    // Hooks start databases and platforms, which nothing hurries on a busy machine.
    hookTimeout: 60_000 * PATIENCE,
    // More than a small machine has cores: the servers' tests wait for processes and sockets most of their time.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Property tests draw the same cases in every run, so that a red run means a change; FUZZ_SEED draws others.
    setupFiles: ['test/vitest/fixed-seed.ts'],
    provide: { fuzzSeed: Number(process.env['FUZZ_SEED'] ?? 20_261_121), waitMs: WAIT_MS },
    expect: { poll: { timeout: WAIT_MS, interval: 10 } },
    projects: [
      {
        extends: true,
        test: {
          ...node,
          name: 'node',
          // Files of one process share its modules and its databases: most of a file's time went into them.
          isolate: false,
          include: ON_NODE.map((folder) => `${folder}/**/*.test.ts`),
          exclude: [FULL],
        },
      },
      {
        extends: true,
        test: {
          ...node,
          env: { ...node.env, TEST_PATIENCE_MS: String(LONG_WAIT_MS) },
          name: 'full',
          include: [FULL],
          exclude: ['**/node_modules/**'],
          // Processes are started, killed and recovered: seconds on an idle machine, a minute on a busy one.
          testTimeout: 60_000 * PATIENCE,
          hookTimeout: 60_000 * PATIENCE,
          expect: { poll: { timeout: LONG_WAIT_MS } },
        },
      },
      {
        extends: true,
        test: {
          ...node,
          name: 'postgres',
          globalSetup: ['test/vitest/name-postgres.ts'],
          env: { ...node.env, TEST_ENGINE: 'postgres' },
          include: ON_NODE.map((folder) => `${folder}/**/*.storage.test.ts`),
        },
      },
      {
        extends: true,
        // Vite's own conditions come first in a browser, so that packages give their browser builds.
        resolve: {
          conditions: [...conditions, 'module', 'browser', 'import', 'default'],
        },
        // Vue asks for these.
        define: {
          __VUE_OPTIONS_API__: 'false',
          __VUE_PROD_DEVTOOLS__: 'false',
          __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
        },
        // Named, not discovered: nothing is built anew in the middle of a run.
        optimizeDeps: {
          noDiscovery: true,
          include: [
            'axe-core',
            'fast-check',
            'react',
            'react/jsx-runtime',
            'react-dom/client',
            'react-dom/server',
            'vue',
            'vue/server-renderer',
          ],
        },
        test: {
          name: 'browser',
          setupFiles: ['test/vitest/patient-wait.ts'],
          include: [
            'src/{widget,embed,react,preact}/**/*.test.tsx',
            'src/{embed,react,preact,vue}/**/*.test.ts',
            'console/**/*.test.tsx',
          ],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: {
                ...(executablePath ? { executablePath } : {}),
                args: [...CHROMIUM_ARGS],
              },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
