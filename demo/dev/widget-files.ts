import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin, WatchOptions } from 'rolldown';

const here = (path: string): string => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));
const LANGUAGES = readdirSync(here('widget/locales'))
  .filter((file) => /^[a-z]{2}\.ts$/.test(file))
  .map((file) => file.slice(0, 2));

/** Style sheets of the loader, which it imports as text. */
const styleTexts: Plugin = {
  name: 'natter-style-texts',
  load: {
    filter: { id: /\.css\?inline$/ },
    handler(id) {
      const file = id.replace('?inline', '');
      this.addWatchFile(file);
      return { code: `export default ${JSON.stringify(readFileSync(file, 'utf8'))}`, moduleType: 'js' };
    },
  },
  resolveId: {
    filter: { id: /\.css\?inline$/ },
    handler: (source, importer = '') => join(dirname(importer), source),
  },
};

/**
 * Writes the files that the token proxy serves to pages, except for `natter.js`: each takes its code from the development
 * server, where `addressOf` says.
 */
export function writeWidgetFiles(folder: string, addressOf: (file: string) => string): void {
  mkdirSync(join(folder, 'natter'), { recursive: true });
  const forward = (name: string, file: string): void =>
    writeFileSync(
      join(folder, 'natter', `${name}.js`),
      `export * from ${JSON.stringify(addressOf(here(file)))};\n`,
    );
  forward('panel', 'embed/loader/prepare.ts');
  forward('early', 'embed/loader/early.ts');
  for (const language of LANGUAGES) forward(language, `widget/locales/${language}.ts`);
  for (const file of readdirSync(here('widget/themes')))
    copyFileSync(here(`widget/themes/${file}`), join(folder, 'natter', file));
}

/**
 * How `natter.js` is made: in one file, because a page loads it as a classic script. `clientUrl` is the module that receives
 * edits.
 */
export function describeLoaderBundle(folder: string, clientUrl: string): WatchOptions {
  return {
    input: here('embed/loader/loader.ts'),
    platform: 'browser',
    resolve: { conditionNames: ['@natter/source', 'module', 'browser', 'import', 'default'] },
    plugins: [styleTexts],
    transform: {
      define: {
        __PANEL_FILE__: '"natter/panel.js"',
        __EARLY_FILE__: '"natter/early.js"',
        __TEXTS_FILE__: '"natter/[language].js"',
        __LANGUAGES__: JSON.stringify(LANGUAGES.join(' ')),
      },
    },
    output: {
      file: join(folder, 'natter.js'),
      format: 'iife',
      name: 'natterScript',
      banner: `import(${JSON.stringify(clientUrl)});`,
    },
  };
}
