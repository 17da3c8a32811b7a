import { fileURLToPath } from 'node:url';
import type { UserConfig } from 'vite';
import consoleConfig from '../../../console/vite.config.ts';

/** Builds the test bench, which is made of the console's parts, into the folder that the demo site serves it from. */
const config: UserConfig = {
  ...consoleConfig,
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/bench/',
  build: {
    ...consoleConfig.build,
    outDir: fileURLToPath(new URL('../../dist/bench', import.meta.url)),
    rolldownOptions: {
      // The bench, and the frame in which it replays recordings.
      input: ['index', 'replay'].map((name) => fileURLToPath(new URL(`./${name}.html`, import.meta.url))),
    },
  },
};

export default config;
