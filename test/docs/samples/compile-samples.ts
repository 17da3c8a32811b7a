import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const PAGE_TYPES = join(ROOT, 'test/docs/samples/page.d.ts');
const LAYERS = [
  ...['src/protocol', 'src/client', 'src/embed', 'src/react', 'src/preact', 'src/vue'],
  ...['server-sdk', 'server-token-proxy', 'server-platform'],
];

/** Creates a folder inside the repository, so that the packages resolve as for a reader. */
export function makeSamplesFolder(): string {
  mkdirSync(join(ROOT, '.tsbuild'), { recursive: true });
  return mkdtempSync(join(ROOT, '.tsbuild/samples-'));
}

/** Compiles files in a separate folder, and returns the output of the compiler. */
export async function compileSamples(
  folder: string,
  name: string,
  files: Readonly<Record<string, string>>,
  options: object,
): Promise<string> {
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  for (const [file, text] of Object.entries(files)) writeFileSync(join(project, file), text);
  const compilerOptions = {
    ...{ target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'], types: ['node'] },
    ...{ module: 'nodenext', customConditions: ['@natter/source'], allowImportingTsExtensions: true },
    ...{ jsx: 'react-jsx', noEmit: true, moduleDetection: 'force', skipLibCheck: true, ...options },
  };
  // References, so that the packages are read as the declarations for their users.
  const references = LAYERS.map((layer) => ({ path: join(ROOT, layer) }));
  const configuration = { compilerOptions, include: ['*', PAGE_TYPES], references };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(configuration));
  const run = promisify(execFile)(process.execPath, [TSC, '-b', project, '--pretty', 'false']);
  return await run.then(
    ({ stdout }) => stdout,
    (error: { readonly stdout?: string }) => error.stdout ?? String(error),
  );
}
