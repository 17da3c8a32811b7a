import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const EMBED = join(ROOT, 'dist/embed');
const BYTES_PER_KB = 1000;

/**
 * What the README claims, brotli, in bytes; over it the check fails. The panel counts with everything it
 * needs to hold a conversation (e2e/parts.spec.ts); rarely used parts and languages load when they are needed.
 */
const BUDGETS: readonly Budget[] = [
  {
    name: 'loader',
    limitBytes: 2.4 * BYTES_PER_KB,
    matches: (file) => file === 'natter.js',
  },
  {
    name: 'panel',
    limitBytes: 38.7 * BYTES_PER_KB,
    matches: (file) => /\/panel\.js$/.test(file),
  },
  {
    // What opening the panel in English loads.
    name: 'with words',
    limitBytes: 39.7 * BYTES_PER_KB,
    matches: (file) => /\/(?:panel|en)\.js$/.test(file),
  },
  {
    // Each loaded by what needs it: the menu; a card, a picture or a number to call; a line between messages or a place in
    // a queue; the end and its survey; a visitor who is elsewhere; going back by keys or far up.
    name: 'parts',
    limitBytes: 11.5 * BYTES_PER_KB,
    matches: (file) => /\/(?:menu|cards|notices|ended|survey|attention|reading)\.js$/.test(file),
  },
  {
    // Twelve files, of which a visitor loads one.
    name: 'languages',
    limitBytes: 12 * 1.3 * BYTES_PER_KB,
    matches: (file) => /\/[a-z]{2}\.js$/.test(file),
  },
];

interface Budget {
  readonly name: string;
  readonly limitBytes: number;
  readonly matches: (file: string) => boolean;
}

const brotli = (bytes: Uint8Array): number =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).byteLength;
const kb = (bytes: number): string => `${(bytes / BYTES_PER_KB).toFixed(2)} kB`.padStart(10);

interface BuiltFile {
  readonly file: string;
  readonly rawBytes: number;
  readonly brotliBytes: number;
}

const files: readonly BuiltFile[] = readdirSync(EMBED, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.js'))
  .sort()
  .map((file) => {
    const bytes = readFileSync(join(EMBED, file));
    return { file, rawBytes: bytes.byteLength, brotliBytes: brotli(bytes) };
  });

console.log('file'.padEnd(34), 'raw'.padStart(10), 'brotli'.padStart(10));
for (const { file, rawBytes, brotliBytes } of files)
  console.log(file.replace(/\/[0-9a-f]{8}\//, '/…/').padEnd(34), kb(rawBytes), kb(brotliBytes));

/** Groups the panel's modules by the part of the product, or the package, that they belong to. */
function groupOf(moduleId: string): string {
  const path = moduleId.replace(/\\/g, '/').replace(/^\0/, '');
  const packages = [...path.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)/g)];
  const name = packages.at(-1)?.[1];
  if (name && name !== 'natter') return name;
  return /\/src\/([^/]+)/.exec(path)?.[0].slice(1) ?? 'bundler';
}

// The bundler reports each module's code after tree shaking and before it is minified; the shares of the whole
// tell what takes the bytes.
const shares = new Map<string, number>();
await build({
  root: ROOT,
  configFile: join(ROOT, 'vite.config.ts'),
  mode: 'embed',
  logLevel: 'silent',
  build: { write: false },
  plugins: [
    {
      name: 'natter-size',
      generateBundle(_, bundle) {
        for (const output of Object.values(bundle)) {
          if (output.type !== 'chunk' || !output.fileName.endsWith('/panel.js')) continue;
          for (const [id, { renderedLength }] of Object.entries(output.modules)) {
            const group = groupOf(id);
            shares.set(group, (shares.get(group) ?? 0) + renderedLength);
          }
        }
      },
    },
  ],
});
const total = [...shares.values()].reduce((sum, length) => sum + length, 0);
console.log('\nwhat takes the panel’s bytes (before minifying)');
for (const [group, length] of [...shares].sort((a, b) => b[1] - a[1])) {
  console.log(`  ${group.padEnd(32)} ${((100 * length) / total).toFixed(1).padStart(5)} %`);
}

console.log('');
let isOver = false;
for (const { name, limitBytes, matches } of BUDGETS) {
  const own = files.filter(({ file }) => matches(file));
  const size = own.reduce((sum, { brotliBytes }) => sum + brotliBytes, 0);
  const verdict = own.length === 0 ? 'not built' : size > limitBytes ? 'over budget' : 'ok';
  isOver ||= verdict !== 'ok';
  console.log(`${name.padEnd(10)} ${kb(size)} of ${kb(limitBytes)}  ${verdict}`);
}
process.exit(isOver ? 1 : 0);
