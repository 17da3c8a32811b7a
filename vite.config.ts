import { readdirSync } from 'node:fs';
import { build, defineConfig, type Plugin, type UserConfig } from 'vite';

/** What the widget runs on: browsers with constructed style sheets, `light-dark()` and relative colours. */
const TARGET = ['chrome123', 'edge123', 'firefox128', 'safari17.5'];
const EMBED = 'dist/embed';

const shared: UserConfig = {
  configFile: false,
  publicDir: false,
  resolve: { conditions: ['@natter/source', 'module', 'browser', 'import', 'default'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
};

/**
 * The script tag's loader is a classic script and shares no module with the panel, so it is a build of its own.
 * It runs after the panel's and is told the name of the panel's file.
 */
function buildLoader(): Plugin {
  return {
    name: 'natter-loader',
    async writeBundle() {
      const panel = readdirSync(`${EMBED}/natter`).find((file) => file.startsWith('panel-'));
      if (!panel) throw new Error('The panel was not built; the loader has nothing to load.');
      await build({
        ...shared,
        define: { __PANEL_FILE__: JSON.stringify(panel) },
        build: {
          outDir: EMBED,
          emptyOutDir: false,
          target: TARGET,
          lib: {
            entry: 'src/embed/loader.ts',
            formats: ['iife'],
            name: 'natterLoader',
            fileName: () => 'natter.js',
          },
        },
      });
    },
  };
}

/** `vite build --mode embed`: `natter.js` and the hashed chunks it loads. */
const embed: UserConfig = {
  ...shared,
  plugins: [buildLoader()],
  build: {
    outDir: EMBED,
    target: TARGET,
    modulePreload: false,
    // Some 1.5 % smaller after compression than the default minifier makes it; every byte of the panel counts.
    minify: 'terser',
    terserOptions: { module: true, ecma: 2020, compress: { passes: 3, pure_getters: true } },
    rolldownOptions: {
      input: { panel: 'src/embed/conversation.ts' },
      preserveEntrySignatures: 'strict',
      output: {
        entryFileNames: 'natter/[name]-[hash].js',
        chunkFileNames: 'natter/[name]-[hash].js',
      },
    },
  },
};

/** `vite build --mode npm`: the package's entries, dependencies left to the customer's bundler. */
const npm: UserConfig = {
  ...shared,
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    target: TARGET,
    minify: false,
    lib: {
      entry: {
        index: 'src/embed/index.ts',
        client: 'src/client/index.ts',
        element: 'src/embed/element.ts',
        protocol: 'src/protocol/index.ts',
      },
      formats: ['es'],
    },
    rolldownOptions: {
      external: [/^preact/, /^@preact\//],
      output: { chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
};

export default defineConfig(({ mode }) => (mode === 'npm' ? npm : embed));
