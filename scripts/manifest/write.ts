// Writes `custom-elements.json`; with `--check` it exits with 1 where the file is another.
import { readFileSync, writeFileSync } from 'node:fs';
import { writeManifest } from './custom-elements.ts';

const FILE = new URL('../../custom-elements.json', import.meta.url);

if (!process.argv.includes('--check')) writeFileSync(FILE, writeManifest());
else if (readFileSync(FILE, 'utf8') !== writeManifest()) {
  console.error(
    'custom-elements.json is not current. Run "npm run generate -- manifest" and commit the change.',
  );
  process.exitCode = 1;
}
