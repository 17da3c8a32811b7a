import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin, WatchOptions } from 'rolldown';

/** Packages that load files beside their own. */
const APART = /^(?:pg|pino|@electric-sql\/pglite|@opentelemetry\/[\w-]+)(?:\/|$)/;
/** Files that the platform reads when it starts, beside its sources. */
const KNOWLEDGE = fileURLToPath(new URL('../../server-platform/knowledge', import.meta.url));

const listFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Leaves some packages out, and lets sources find the files beside them from wherever the bundle is. */
const asSources: Plugin = {
  name: 'natter-as-sources',
  resolveId: {
    filter: { id: APART },
    async handler(source, importer, { kind }) {
      const found = await this.resolve(source, importer, { skipSelf: true });
      if (found === null) return null;
      const isRequired = kind === 'require-call';
      return isRequired
        ? { id: found.id, external: 'absolute' }
        : { id: pathToFileURL(found.id).href, external: true };
    },
  },
  transform: {
    filter: { id: /\.[cm]?[jt]s$/, code: 'import.meta.url' },
    handler: (code, id) => ({
      code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
      map: null,
    }),
  },
};

const watchKnowledge: Plugin = {
  name: 'natter-watch-knowledge',
  buildStart() {
    for (const file of listFiles(KNOWLEDGE)) this.addWatchFile(file);
  },
};

/**
 * Settings that bundle a server's program into one file. Node loads it in a tenth of the time of the sources, which are
 * more than a thousand files with the packages.
 */
export function describeServerBundle(program: string, file: string, readsKnowledge: boolean): WatchOptions {
  return {
    input: program,
    platform: 'node',
    resolve: { conditionNames: ['@natter/source', 'node', 'import', 'default'] },
    plugins: readsKnowledge ? [asSources, watchKnowledge] : [asSources],
    output: { file, format: 'esm', sourcemap: true, codeSplitting: false },
  };
}
