import { readFileSync, writeFileSync } from 'node:fs';
import { findSection, readSettings, writeReference } from './write-reference.ts';

const PAGE = new URL('../../docs/configuration.md', import.meta.url);

const missing = readSettings().filter((setting) => {
  const found = findSection(setting);
  return found === null || found.section.settings[found.path] === undefined;
});
if (missing.length > 0) {
  const names = missing.map(({ parent, name }) => `  ${parent}.${name}`).join('\n');
  console.error(
    `Describe these settings in scripts/configuration, then run npm run generate -- configuration:\n${names}`,
  );
  process.exitCode = 1;
} else if (!process.argv.includes('--check')) {
  writeFileSync(PAGE, writeReference());
} else if (readFileSync(PAGE, 'utf8') !== writeReference()) {
  console.error(
    'docs/configuration.md is not current. Run npm run generate -- configuration and commit the change.',
  );
  process.exitCode = 1;
}
