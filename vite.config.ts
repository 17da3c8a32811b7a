import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import MagicString from 'magic-string';
import {
  type BuildOptions,
  build,
  defineConfig,
  type Plugin,
  parseSync,
  type UserConfig,
  Visitor,
} from 'vite';
import shortNames from './vite.short-names.json' with { type: 'json' };

/** What the widget runs on: browsers with constructed style sheets, `light-dark()` and relative colours. */
const TARGET = ['chrome123', 'edge123', 'firefox128', 'safari17.5'];
const EMBED = 'dist/embed';
/** Where the panel and its parts stand until the folder has its name. */
const PARTS = 'natter/parts';

const PAGE_DOCUMENT = fileURLToPath(new URL('src/widget/page-document.ts', import.meta.url));

const shared: UserConfig = {
  configFile: false,
  publicDir: false,
  resolve: { conditions: ['@natter/source', 'module', 'browser', 'import', 'default'] },
  oxc: { jsx: { runtime: 'automatic', importSource: '#view', development: false } },
};

/** The order in which letters are given to what a file names for itself: one for all files and builds, chosen by trial. */
const LETTERS = 'etnrauilscoxpmfhgvbywkdqjzETNRABILSCMDPUFHGVOYWKXQJZ$_';

/** Names by number: a letter, then a letter and another letter or figure, and so on. */
const nameLocals = {
  get(number: number): string {
    let name = LETTERS.charAt(number % LETTERS.length);
    for (let rest = Math.floor(number / LETTERS.length); rest > 0; rest = Math.floor(rest / 64)) {
      rest -= 1;
      name += `${LETTERS}0123456789`.charAt(rest % 64);
    }
    return name;
  },
};

/** Some 1.5 % smaller after compression than the default minifier makes it; every byte counts. */
const minified: Pick<BuildOptions, 'minify' | 'terserOptions'> = {
  minify: 'terser',
  terserOptions: {
    module: true,
    ecma: 2020,
    // Unsafe only for functions that are called with `new` or read their own `arguments`, for built-ins that a page has
    // replaced by others; here are none. The last four are smaller after compression.
    compress: {
      passes: 6,
      pure_getters: true,
      unsafe: true,
      unsafe_arrows: true,
      unsafe_methods: true,
      inline: 1,
      comparisons: false,
      lhs_constants: false,
    },
    format: { quote_style: 1 },
    // Some 800 bytes of the panel. What it says most often has one letter, and the order of letters is the minifier's own.
    mangle: {
      // No browser here has the faults that other names would be for.
      safari10: false,
      nth_identifier: nameLocals,
      properties: {
        regex: new RegExp(`^(?:${Object.keys(shortNames).join('|')})$`),
        // Also a name that browsers have for something of theirs, which is not used here.
        builtins: true,
        // Not by `nameCache`, which would pass the names of variables from one file to the next too, in whatever order
        // they come to be minified: every build would be another.
        cache: {
          props: Object.fromEntries(Object.entries(shortNames).map(([name, short]) => [`$${name}`, short])),
        },
      },
    },
  },
};

/**
 * The script tag's loader is a classic script and shares no module with the panel, so it is a build of its own.
 * It runs after the panel's and is told the name of the panel's file.
 */
function buildLoader(): Plugin {
  return {
    name: 'natter-loader',
    async writeBundle() {
      // Loaded before the panel, so that it shares no file with the panel's parts: Firefox would remember one that failed.
      await build({
        ...shared,
        logLevel: 'warn',
        plugins: [declareByLet()],
        build: {
          ...minified,
          sourcemap: 'hidden',
          outDir: EMBED,
          emptyOutDir: false,
          target: TARGET,
          lib: {
            entry: 'src/embed/check-words.ts',
            formats: ['es'],
            fileName: () => `${PARTS}/words.js`,
          },
        },
      });
      const panel = `${nameParts()}/panel.js`;
      await build({
        ...shared,
        resolve: {
          ...shared.resolve,
          // The one thing that the loader has of the widget. By the index, parts that load late would leave traces in it.
          alias: [{ find: '../widget/index.ts', replacement: PAGE_DOCUMENT }],
        },
        logLevel: 'warn',
        plugins: [shortenStyles(), declareByLet()],
        define: { __PANEL_FILE__: JSON.stringify(panel) },
        build: {
          ...minified,
          sourcemap: 'hidden',
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
      await build({
        ...shared,
        logLevel: 'warn',
        build: {
          ...minified,
          sourcemap: 'hidden',
          outDir: EMBED,
          emptyOutDir: false,
          target: TARGET,
          lib: {
            entry: 'src/embed/compat-script.ts',
            formats: ['iife'],
            name: 'natterCompat',
            fileName: () => 'natter/compat.js',
          },
        },
      });
      const scripts = readdirSync(EMBED, { recursive: true, encoding: 'utf8' }).filter((file) =>
        file.endsWith('.js'),
      );
      const hashes = Object.fromEntries(
        scripts.toSorted().map((file) => [file, integrityOf(`${EMBED}/${file}`)]),
      );
      writeFileSync(`${EMBED}/integrity.json`, `${JSON.stringify(hashes, null, 2)}\n`);
      console.info(`natter.js integrity="${hashes['natter.js']}", the other files: ${EMBED}/integrity.json`);
    },
  };
}

/**
 * Names the folder of the panel and its parts after what is in it. One name for all of them: each part's own, which the
 * panel would have to hold, came to 260 bytes of it.
 */
function nameParts(): string {
  const folder = `${EMBED}/${PARTS}`;
  const hash = createHash('sha256');
  for (const file of readdirSync(folder).toSorted()) hash.update(readFileSync(`${folder}/${file}`));
  const name = hash.digest('hex').slice(0, 8);
  renameSync(folder, `${EMBED}/natter/${name}`);
  return name;
}

/** The hash of a file as Subresource Integrity writes it. */
const integrityOf = (file: string): string =>
  `sha384-${createHash('sha384').update(readFileSync(file)).digest('base64')}`;

/** What a plugin has made of some code, with the way back to what it was. */
const withMap = (code: MagicString) => ({ code: code.toString(), map: code.generateMap({ hires: true }) });

/** What the bundler makes of `import()`, of one name, of several and of all: the import itself does as well. */
const WRAPPED_IMPORT =
  /__vitePreload\((?:async \(\) => \{\s*const \{[^}]*\} = await (import\([^)]+\));\s*return \{[^}]*\};\s*\}|\(\) => (import\([^)]+\)(?:\.then\(\(n\) => n\.\w+\))?)), __VITE_PRELOAD__\)/g;

/**
 * Parts that load late have no style sheets or modules of their own to be fetched first. But Firefox remembers a module
 * that could not be fetched for as long as the page lives: after a failure, parts have another address.
 */
const LOAD_PART = `
  let again = '';
  export const __vitePreload = (name) => import(/* @vite-ignore */ './' + name + '.js' + again).catch((error) => {
    again += '?';
    throw error;
  });`;

function importParts(): Plugin {
  return {
    name: 'natter-import-parts',
    enforce: 'pre',
    load: (id) => (id.endsWith('vite/preload-helper.js') ? LOAD_PART : null),
    renderChunk: (code) =>
      withMap(
        new MagicString(code).replace(WRAPPED_IMPORT, (_, one: string | undefined, several: string) =>
          (one ?? several).replace(/import\(["']\.\/([\w-]+)\.js["']\)/, "__vitePreload('$1')"),
        ),
      ),
  };
}

/**
 * What the menu, what it saves and what stands between the messages have in common, each has a copy of: Firefox would
 * remember a file that they share when it could not be fetched, and none of them has another address for it.
 */
function copyShared(): Plugin {
  const partOf = (id = '') => /(?:\?part=|\/src\/widget\/(?=(?:menu|save|notices)\/))(\w+)/.exec(id)?.[1];
  return {
    name: 'natter-copy-shared',
    enforce: 'pre',
    async resolveId(source, importer, { kind }) {
      const part = importer?.includes('?part=') ? importer.split('?part=')[1] : partOf(importer);
      if (!part || kind === 'dynamic-import') return null;
      const found = await this.resolve(source, importer, { skipSelf: true });
      const home = partOf(found?.id);
      return found && home && home !== part ? `${found.id}?part=${part}` : null;
    },
  };
}

/**
 * Every `const` becomes a `let`, so that the minifier can write declarations that follow each other as one. The compiler
 * has already seen to it that none is assigned twice. Some 140 bytes of the panel.
 */
function declareByLet(): Plugin {
  return {
    name: 'natter-declare-by-let',
    renderChunk(code) {
      const short = new MagicString(code);
      new Visitor({
        VariableDeclaration({ kind, start }) {
          if (kind === 'const') short.update(start, start + kind.length, 'let');
        },
      }).visit(parseSync('chunk.js', code).program);
      return withMap(short);
    },
  };
}

/**
 * What the minifier leaves alone in style sheets: names of private custom properties (`--_accent`), which become
 * `--_0` and so on in every file, spaces inside the values of custom properties, and a prefix that no browser here
 * needs. Some 180 bytes of the panel.
 */
function shortenStyles(): Plugin {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).toSorted();
  const names = new Set(
    sources
      .filter((file) => /\.(?:css|tsx?)$/.test(file))
      .flatMap((file) => readFileSync(`src/${file}`, 'utf8').match(/--_[\w-]+/g) ?? []),
  );
  const numbers = new Map([...names].map((name, index) => [name, index.toString(36)]));
  return {
    name: 'natter-shorten-styles',
    // After what one style sheet imports of another has come into it.
    enforce: 'post',
    transform: {
      filter: { id: /\/src\/.*\.(?:css|tsx?)(?:\?|$)/ },
      handler(code, id) {
        const short = new MagicString(code).replace(/--_[\w-]+/g, (name) => `--_${numbers.get(name)}`);
        if (/\.css/.test(id)) {
          short
            .replace(/& (?=\w)/g, '')
            .replace(/, /g, ',')
            .replace(/(?<=[\w)]) ([*/]) (?=[\w(-])/g, '$1');
          short.replace(/-webkit-text-decoration-color:[^;}]*;/g, '');
        }
        return withMap(short);
      },
    },
    generateBundle(_, files) {
      for (const file of Object.values(files)) {
        const missed = file.type === 'chunk' && /var\((--_[\w-]{3,})/.exec(file.code)?.[1];
        if (missed) this.error(`${missed} kept its name in ${file.fileName}; nothing sets it.`);
      }
    },
  };
}

/** The ready themes are style sheets for the page itself, as they are. */
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

/** `vite build --mode embed`: `natter.js`, and the folder of what it loads, which no two builds share. */
const embed: UserConfig = {
  ...shared,
  resolve: {
    ...shared.resolve,
    // Of the library, which is made for more than this, the panel would hold 1.4 kB after compression.
    alias: { '@preact/signals-core': fileURLToPath(new URL('src/widget/view/signals.ts', import.meta.url)) },
  },
  plugins: [importParts(), copyShared(), shortenStyles(), declareByLet(), copyThemes(), buildLoader()],
  build: {
    outDir: EMBED,
    target: TARGET,
    // No link in the files, which visitors would pay for: the token proxy names the maps in a header.
    sourcemap: 'hidden',
    modulePreload: false,
    ...minified,
    rolldownOptions: {
      // The minifier takes nearly all of the time, as is known.
      checks: { pluginTimings: false },
      input: { panel: 'src/embed/prepare.ts' },
      // What late parts share with the panel stays in the panel.
      preserveEntrySignatures: 'allow-extension',
      output: {
        entryFileNames: `${PARTS}/[name].js`,
        chunkFileNames: `${PARTS}/[name].js`,
        // All that the panel imports is one file with it, however many late parts use some of it too.
        codeSplitting: {
          includeDependenciesRecursively: true,
          groups: [{ name: 'panel', test: /src\/embed\/prepare\.ts$/ }],
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
        vue: 'src/vue/index.ts',
      },
      formats: ['es'],
    },
    rolldownOptions: {
      external: [/^@(?:noble|preact)\//, 'idb-keyval', 'reconnecting-websocket', 'react', 'vue'],
      // `'use client'` is for the whole of `react.js`, and stays at its top (e2e/packed.spec.ts).
      checks: { moduleLevelDirective: false },
      // Without hashes, so that no build leaves files of the one before in the package.
      output: { chunkFileNames: 'chunks/[name].js' },
    },
  },
};

export default defineConfig(({ mode }) => (mode === 'npm' ? npm : embed));
