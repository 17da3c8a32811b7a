import { fileURLToPath } from 'node:url';
import type { UserConfig } from 'vite';

const config: UserConfig = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: { dedupe: ['preact'] },
};

export default config;
