import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** `npx vite demo/gallery` shows every state of the panel. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  resolve: { conditions: ['@natter/source', 'module', 'browser', 'import', 'default'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  server: { fs: { allow: [fileURLToPath(new URL('../..', import.meta.url))] } },
});
