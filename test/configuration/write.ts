import { readFileSync, writeFileSync } from 'node:fs';
import { findSection, readSettings, writeReference } from './write-reference.ts';

const PAGE = new URL('../../docs/configuration.md', import.meta.url);

const missing = readSettings().filter((setting) => {
  const found = findSection(setting);
  return found === null || found.section.settings[found.path] === undefined;
});
if (missing.length > 0) {
  const names = missing.map(({ parent, name }) => `  ${parent}.${name}`).join('\n');
  console.error(`Describe these settings in test/configuration, then run npm run docs:\n${names}`);
  process.exitCode = 1;
} else if (!process.argv.includes('--check')) {
  writeFileSync(PAGE, writeReference());
} else if (readFileSync(PAGE, 'utf8') !== writeReference()) {
  console.error('docs/configuration.md is not up to date. Run npm run docs and commit the change.');
  process.exitCode = 1;
}
