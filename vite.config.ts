import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type BuildOptions, build, defineConfig, type Plugin, type UserConfig } from 'vite';

/** Browsers with constructed style sheets, `light-dark()` and relative colours. */
const TARGET = ['chrome123', 'edge123', 'firefox128', 'safari17.5'];
const EMBED = 'dist/embed';
/**
 * Chromium compiles all functions of a file that begins with this while the file comes in, beside the main thread. Else it
 * compiles each function at its first call, which was a quarter of the time from the first click to the open panel, and a
 * fifth of the time until the launcher shows.
 */
const COMPILE_HINT = '//# allFunctionsCalledOnLoad';

/** Languages of the widget's texts, each a file of its own. */
const LANGUAGES = readdirSync('src/widget/locales')
  .filter((file) => /^[a-z]{2}\.ts$/.test(file))
  .map((file) => file.slice(0, 2));
const textsHash = createHash('sha256');
for (const language of LANGUAGES) textsHash.update(readFileSync(`src/widget/locales/${language}.ts`));
/** One hash for all of them, so that the loader can name the file of each. */
const TEXTS_FILE = `natter/[language]-${textsHash.digest('hex').slice(0, 8)}.js`;

const shared: UserConfig = {
  configFile: false,
  publicDir: false,
  resolve: { conditions: ['@natter/source', 'module', 'browser', 'import', 'default'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
};

const embedBuild: BuildOptions = {
  outDir: EMBED,
  emptyOutDir: false,
  target: TARGET,
  // Visitors do not download a link to the maps: the token proxy sends their names in a header.
  sourcemap: 'hidden',
};

/** Vite leaves white space and annotations in libraries for other bundlers; browsers load these files as they are. */
const forBrowsers = { minify: true, comments: false } as const;

/** Builds one entry of the script tag into one file, and returns the name of that file. */
async function buildFile(
  entry: string,
  format: 'es' | 'iife',
  fileName: string,
  define: Record<string, string> = {},
): Promise<string> {
  // The other scripts are for few pages, and only some of what is in them is called.
  const banner = entry === 'loader.ts' ? COMPILE_HINT : '';
  const built = await build({
    ...shared,
    logLevel: 'warn',
    define,
    build: {
      ...embedBuild,
      lib: { entry: `src/embed/loader/${entry}`, formats: [format], name: 'natterScript' },
      rolldownOptions: {
        // The scripts import single functions through the index files of layers, and none of the modules beside them.
        experimental: { lazyBarrel: true },
        output: { ...forBrowsers, hashCharacters: 'hex', postBanner: banner, entryFileNames: fileName },
      },
    },
  });
  const [bundle] = [built].flat();
  if (!bundle || !('output' in bundle)) throw new Error(`${entry} was not built.`);
  return bundle.output[0].fileName;
}

/**
 * Builds the scripts that share no module with the panel. The loader is a classic script that contains the names of the
 * panel's file, of the files with its texts, and of the file with what some pages need before that.
 */
function buildScripts(): Plugin {
  return {
    name: 'natter-scripts',
    async writeBundle(_, bundle) {
      const panel = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry)?.fileName;
      const early = await buildFile('early.ts', 'es', 'natter/early-[hash].js');
      await buildFile('loader.ts', 'iife', 'natter.js', {
        __PANEL_FILE__: JSON.stringify(panel),
        __LANGUAGES__: JSON.stringify(LANGUAGES.join(' ')),
        __TEXTS_FILE__: JSON.stringify(TEXTS_FILE),
        __EARLY_FILE__: JSON.stringify(early),
      });
      await buildFile('compat-script.ts', 'iife', 'natter/compat.js');
      writeIntegrity();
    },
  };
}

/** Writes the hashes of all scripts, for the `integrity` attribute. */
function writeIntegrity(): void {
  const scripts = readdirSync(EMBED, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .toSorted();
  const hashOf = (file: string): string =>
    `sha384-${createHash('sha384')
      .update(readFileSync(`${EMBED}/${file}`))
      .digest('base64')}`;
  const hashes = Object.fromEntries(scripts.map((file) => [file, hashOf(file)]));
  writeFileSync(`${EMBED}/integrity.json`, `${JSON.stringify(hashes, null, 2)}\n`);
  console.info(`natter.js integrity="${hashes['natter.js']}", the other files: ${EMBED}/integrity.json`);
}

/** Copies the ready themes, which are style sheets for the page. */
function copyThemes(): Plugin {
  return {
    name: 'natter-themes',
    generateBundle() {
      for (const file of readdirSync('src/widget/themes')) {
        const source = readFileSync(`src/widget/themes/${file}`);
        this.emitFile({ type: 'asset', fileName: `natter/${file}`, source });
      }
    },
  };
}

/**
 * Leaves out two methods of signals that nothing here calls. The library assigns them to a prototype, which throws on
 * a page that has frozen `Object.prototype`, as advice against prototype pollution recommends.
 */
function dropAssignedMethods(): Plugin {
  return {
    name: 'natter-signals',
    transform(code, id) {
      if (!id.includes('/@preact/signals-core/')) return null;
      const pattern = /\w+\.prototype\.(?:toString|valueOf)=function\(\)\{[^{}]*\};/g;
      if (code.match(pattern)?.length !== 2)
        this.error('signals-core no longer has the methods to leave out.');
      return { code: code.replace(pattern, ''), map: null };
    },
  };
}

/** `vite build --mode embed`: the script tag's `natter.js`, and the panel with its parts in `natter/`. */
const embed: UserConfig = {
  ...shared,
  plugins: [dropAssignedMethods(), copyThemes(), buildScripts()],
  build: {
    ...embedBuild,
    emptyOutDir: true,
    lib: { entry: { panel: 'src/embed/loader/prepare.ts' }, formats: ['es'] },
    rolldownOptions: {
      preserveEntrySignatures: 'allow-extension',
      output: {
        ...forBrowsers,
        hashCharacters: 'hex',
        postBanner: ({ isEntry }) => (isEntry ? COMPILE_HINT : ''),
        entryFileNames: 'natter/[name]-[hash].js',
        chunkFileNames: ({ name }) =>
          LANGUAGES.includes(name) ? TEXTS_FILE.replace('[language]', name) : 'natter/[name]-[hash].js',
        // All that the panel imports is one file with it, also where late parts import some of it.
        codeSplitting: {
          includeDependenciesRecursively: true,
          // The second is shared by late parts, which need no other file than the panel.
          groups: [
            { name: 'panel', test: /src\/(?:embed\/loader\/prepare|widget\/dom\/listen-everywhere)\.ts$/ },
          ],
        },
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
    sourcemap: true,
    lib: {
      entry: {
        index: 'src/embed/index.ts',
        client: 'src/client/index.ts',
        element: 'src/embed/element.ts',
        protocol: 'src/protocol/index.ts',
        compat: 'src/embed/compat.ts',
        react: 'src/react/index.ts',
        preact: 'src/preact/index.ts',
        vue: 'src/vue/index.ts',
      },
      formats: ['es'],
    },
    rolldownOptions: {
      external: [
        /^@(?:noble|preact)\//,
        /^preact(?:$|[-/])/,
        'idb-keyval',
        'reconnecting-websocket',
        'react',
        'vue',
      ],
      // `'use client'` is for the whole of `react.js`, and stays at its top (e2e/packed.spec.ts).
      checks: { moduleLevelDirective: false },
      // Without hashes, so that no build leaves files of the one before in the package.
      output: {
        chunkFileNames: 'chunks/[name].js',
        // Apart from the client, which the launcher would load with it.
        codeSplitting: { groups: [{ name: 'is-equal', test: /src\/client\/is-equal\.ts$/ }] },
      },
    },
  },
};

export default defineConfig(({ mode }) => (mode === 'npm' ? npm : embed));
