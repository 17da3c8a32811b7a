// Bundles the two servers: `npm run build -- servers`. The library, which programs import, leaves its dependencies to npm.
// The program, which `bin/` starts, holds them too: it compiles a few files instead of a thousand, and runs where nothing
// but its native parts is installed.
import { globSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RolldownOptions, rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Native and WebAssembly packages, which find their own files, and what Node's packages try to load if it is there. */
const NEVER_BUNDLED =
  /^(?:@electric-sql|@echogarden)\/|^(?:pg-native|bufferutil|utf-8-validate|natter\/package\.json)$/;

/** The entries of a server besides its program. */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  'server-platform': ['index'],
  'server-token-proxy': ['index', 'node'],
};

/** Threads are separate files beside the file that starts them, named as in the sources. */
function threadsOf(folder: string): Record<string, string> {
  const files = globSync('src/**/{worker,*-worker}.ts', { cwd: join(ROOT, folder) });
  return Object.fromEntries(files.map((file) => [basename(file, '.ts'), file]));
}

function dependenciesOf(folder: string): readonly string[] {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
  ) as Readonly<Record<string, object | undefined>>;
  return Object.keys({ ...dependencies, ...optionalDependencies });
}

async function bundle(
  folder: string,
  input: Record<string, string>,
  dir: string,
  external: RolldownOptions['external'],
): Promise<void> {
  const build = await rolldown({
    cwd: join(ROOT, folder),
    input,
    platform: 'node',
    resolve: { conditionNames: ['@natter/source'] },
    ...(external !== undefined && { external }),
  });
  await build.write({
    dir: join(ROOT, folder, dir),
    format: 'es',
    // All in one folder, where the threads are.
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await build.close();
}

for (const [folder, entries] of Object.entries(LIBRARIES)) {
  for (const file of globSync('dist/{*.js,program}', { cwd: join(ROOT, folder) }))
    rmSync(join(ROOT, folder, file), { recursive: true });
  const threads = threadsOf(folder);
  const dependencies = dependenciesOf(folder);
  await bundle(
    folder,
    { ...Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])), ...threads },
    'dist',
    (id) => NEVER_BUNDLED.test(id) || dependencies.some((name) => id === name || id.startsWith(`${name}/`)),
  );
  await bundle(folder, { cli: 'src/cli.ts', ...threads }, 'dist/program', NEVER_BUNDLED);
}
