import { fileURLToPath } from 'node:url';
import type { UserConfig } from 'vite';

/** `npx vite demo/gallery` shows every state of the panel. */
const config: UserConfig = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  resolve: { conditions: ['@natter/source', 'module', 'browser', 'import', 'default'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  build: { target: 'esnext', modulePreload: false },
  server: { fs: { allow: [fileURLToPath(new URL('../..', import.meta.url))] } },
};

export default config;
