// Writes what the packages export to the reports in `api/`: `npm run generate -- api`. With `--check` it compares instead,
// and exits with 1 where they differ. Reads the declarations that `npm run build` has written.
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diff, parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const REPORTS = join(ROOT, 'api');
const PACKAGES = ['.', 'server-sdk', 'server-token-proxy', 'server-platform'];

interface Entry {
  /** As imported: `natter/react`. */
  readonly name: string;
  /** Its declarations, an absolute path. */
  readonly file: string;
}

/** Every entry of a package that has declarations. */
function readEntries(folder: string): readonly Entry[] {
  const manifest = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  };
  return Object.entries(manifest.exports).flatMap(([path, target]) =>
    typeof target === 'string'
      ? []
      : [{ name: join(manifest.name, path), file: join(ROOT, folder, target.types) }],
  );
}

/** All declarations that an entry exports or needs for its exports, without comments. */
async function report({ name, file }: Entry, entries: readonly Entry[]): Promise<string> {
  if (!existsSync(file)) throw new Error(`${relative(ROOT, file)} is not there: run "npm run build" first.`);
  const others = new Map(
    entries.filter((other) => other.name !== name).map((other) => [other.file, other.name]),
  );
  const bundle = await rolldown({
    input: file,
    // What another entry exports is imported from there, and packages are as they are.
    external: (id) => !/^[./]/.test(id),
    plugins: [
      {
        name: 'natter-entries',
        resolveId: (id, importer) => {
          const target = importer && join(dirname(importer), id).replace(/(?<!\.d)\.ts$/, '.d.ts');
          const entry = target && others.get(target);
          return entry ? { id: entry, external: true } : null;
        },
      },
      dts({ dtsInput: true, tsconfig: false, generator: 'oxc' }),
    ],
  });
  try {
    const { output } = await bundle.generate({ format: 'es' });
    const declarations = output.filter(({ fileName }) => fileName.endsWith('.d.ts'));
    const [chunk] = declarations;
    if (declarations.length !== 1 || chunk?.type !== 'chunk')
      throw new Error(`${name} did not become one file.`);
    return `${layOut(chunk.code.replace(/^\s*\/\*\*.*?\*\/\n/gms, '')).trim()}\n`;
  } finally {
    await bundle.close();
  }
}

/**
 * Lays declarations out so that a change is a separate line: one name of an import or export, one member of a long union or
 * tuple. Texts for people are printed as `string`, because other words are no other interface.
 */
function layOut(declarations: string): string {
  const list = (names: string): string =>
    names
      .split(',')
      .map((name) => `\n  ${name.trim()},`)
      .join('');
  return declarations
    .replace(/^(\s*declare const \w+) = "[^"]* [^"]*";$/gm, '$1: string;')
    .replace(
      /^(\s*(?:import|export) \{)([^{}\n]+)\}/gm,
      (_, head: string, names: string) => `${head}${list(names)}\n}`,
    )
    .replace(/'[^'\n]*'(?: \| '[^'\n]*'){3,}/g, (union) => union.replace(/(?:^| \| )(?=')/g, '\n    | '))
    .replace(/\['[^'\n]*'(?:, '[^'\n]*'){3,}\]/g, (tuple) => `[${list(tuple.slice(1, -1))}\n]`)
    .replace(/ +$/gm, '');
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const entries = PACKAGES.flatMap(readEntries);
const reports = new Map<string, string>();
for (const entry of entries) reports.set(`${entry.name}.d.ts`, await report(entry, entries));

if (!values.check) {
  rmSync(REPORTS, { recursive: true, force: true });
  for (const [path, text] of reports) {
    const file = join(REPORTS, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  console.log(`api/: ${reports.size} reports written. Commit them with the change that made them differ.`);
} else {
  for (const path of globSync('**/*.d.ts', { cwd: REPORTS })) {
    if (!reports.has(path)) reports.set(path, '');
  }
  let isSame = true;
  for (const [path, text] of reports) {
    const file = join(REPORTS, path);
    const accepted = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (accepted === text) continue;
    isSame = false;
    console.error(`api/${path}`);
    const lines = diff(text.split('\n'), accepted.split('\n'));
    for (const [sign, line] of lines) if (sign !== 0) console.error(`  ${sign > 0 ? '+' : '-'} ${line}`);
  }
  if (!isSame) {
    console.error(
      'The exports of the packages have changed. If that is intended, run "npm run generate -- api", commit api/, and say it in a changeset.',
    );
    process.exitCode = 1;
  }
}
