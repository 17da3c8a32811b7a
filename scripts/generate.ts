// Writes a file that is made from others: `npm run generate -- NAME`. Without a name it lists them.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = '--conditions=@natter/source';
const PLAYWRIGHT = createRequire(import.meta.url).resolve('@playwright/test/cli');

interface Generated {
  readonly help: string;
  /** Arguments of Node. */
  readonly args: readonly string[];
}

const GENERATED: Readonly<Record<string, Generated>> = {
  api: {
    help: 'api/: the exports of the packages, from the declarations of `npm run build`',
    args: ['scripts/api-report.ts'],
  },
  manifest: {
    help: 'custom-elements.json, from the source and docs/embedding.md',
    args: [SOURCE, 'scripts/manifest/write.ts'],
  },
  configuration: {
    help: 'docs/configuration.md and the variables in the README of the token proxy, from the schemas of the settings',
    args: [SOURCE, 'scripts/configuration/write.ts'],
  },
  pictures: {
    help: 'docs/pictures, from the widget in its states',
    args: [PLAYWRIGHT, 'test', 'e2e/look.spec.ts', 'e2e/recordings.spec.ts', '--update-snapshots'],
  },
  recordings: {
    help: 'e2e/recordings, all or those named after it, from the demo',
    args: [SOURCE, 'scripts/recordings/record.ts'],
  },
};

const [name = '', ...rest] = process.argv.slice(2);
const generated = GENERATED[name];
if (generated === undefined) {
  console.error('npm run generate -- NAME, where NAME is one of');
  for (const [each, { help }] of Object.entries(GENERATED)) console.error(`  ${each.padEnd(14)} ${help}`);
  process.exit(2);
}
const { status } = spawnSync(process.execPath, [...generated.args, ...rest], { cwd: ROOT, stdio: 'inherit' });
process.exitCode = status ?? 1;
