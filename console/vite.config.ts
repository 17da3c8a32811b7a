import { fileURLToPath } from 'node:url';
import type { UserConfig } from 'vite';

/** Builds the console into the folder that the platform serves it from. */
const config: UserConfig = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  resolve: { conditions: ['@natter/source', 'module', 'browser', 'import', 'default'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  build: {
    outDir: fileURLToPath(new URL('../server-platform/console', import.meta.url)),
    emptyOutDir: true,
    target: 'esnext',
    rolldownOptions: {
      // The console, and the frame of the view Install.
      input: ['index', 'preview'].map((name) => fileURLToPath(new URL(`./${name}.html`, import.meta.url))),
    },
    modulePreload: false,
    // The policy of the page allows no inlined files.
    assetsInlineLimit: 0,
  },
  logLevel: 'warn',
};

export default config;
