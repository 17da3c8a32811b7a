import { readFileSync, writeFileSync } from 'node:fs';
import { findSection, readSettings, writeProxyReadme, writeReference } from './write-reference.ts';

const at = (path: string): URL => new URL(`../../${path}`, import.meta.url);
/** Maps a file's path to its new text, made from its present text. */
const PAGES: Readonly<Record<string, (text: string) => string>> = {
  'docs/configuration.md': writeReference,
  'server-token-proxy/README.md': writeProxyReadme,
};

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
} else {
  for (const [path, write] of Object.entries(PAGES)) {
    const text = readFileSync(at(path), 'utf8');
    const written = write(text);
    if (written === text) continue;
    if (!process.argv.includes('--check')) {
      writeFileSync(at(path), written);
      continue;
    }
    console.error(`${path} is not current. Run npm run generate -- configuration and commit the change.`);
    process.exitCode = 1;
  }
}
