import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SECTIONS } from '../../scripts/configuration/setting-sections.ts';
import { findSection, readSettings } from '../../scripts/configuration/write-reference.ts';
import { COMMAND_LINE_OPTIONS } from '../../server-platform/src/app/cli/command-line-options.ts';
import { COMMANDS } from '../../server-platform/src/app/commands.ts';
import { ENVIRONMENT_VARIABLES } from '../../server-platform/src/app/config/environment.ts';
import { loadConfig } from '../../server-platform/src/app/config/load-config.ts';
import { ENVIRONMENT } from '../../server-token-proxy/src/command/read-environment.ts';

const PAGE = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('the configuration reference', () => {
  it('the configuration reference describes every setting: add a missing one to scripts/configuration, then npm run generate -- configuration', () => {
    const settings = readSettings();
    expect(settings.length).toBeGreaterThan(150);
    const missing = settings.filter((setting) => {
      const found = findSection(setting);
      const help = found?.section.settings[found.path];
      return help === undefined || help === '' || (typeof help === 'object' && help.help === '');
    });
    expect(missing.map(({ parent, name }) => `${parent}.${name}`)).toEqual([]);
  });

  it('the configuration reference describes no setting that does not exist', () => {
    const described = SECTIONS.flatMap(({ title, settings }) =>
      Object.keys(settings).map((path) => `${title} ${path}`),
    );
    const real = new Set(
      readSettings().map((setting) => {
        const found = findSection(setting);
        return `${found?.section.title} ${found?.path}`;
      }),
    );
    expect(described.filter((each) => !real.has(each))).toEqual([]);
  });

  it.each([
    'event_vocabulary',
    'enforce_origin',
    'contextKeys',
    'variants',
    'phone',
    'frameBurst',
    'avatarUrl',
  ])('the configuration reference has a row for %s', (name) => {
    expect(PAGE).toMatch(new RegExp(`^\\| \`${name}\` \\|.+\\|.+\\| \\S.{9,} \\|$`, 'm'));
  });

  it('the configuration reference names every environment variable, command and option', () => {
    for (const name of [...Object.keys(ENVIRONMENT_VARIABLES), ...ENVIRONMENT.map((each) => each.name)])
      expect(PAGE).toContain(`| \`${name}\` |`);
    for (const command of Object.keys(COMMANDS)) expect(PAGE).toContain(`natter-platform ${command}`);
    for (const option of Object.keys(COMMAND_LINE_OPTIONS)) expect(PAGE).toContain(`\`--${option}\``);
    const used = read('server-platform/src/app/config/environment.ts').matchAll(/read(?:Number)?\('(\w+)'/g);
    for (const [, name] of used) expect(Object.keys(ENVIRONMENT_VARIABLES)).toContain(name);
  });

  it('the configuration reference shows the actual defaults', async () => {
    const { host, port, trustedProxyHops, logLevel, database, metrics } = await loadConfig({}, {});
    const { dataDir, durable, maxConnections } = database;
    const defaults = { host, port, trustedProxyHops, logLevel, dataDir, durable, maxConnections };
    for (const [name, value] of Object.entries(defaults))
      expect(PAGE).toMatch(new RegExp(`^\\| \`${name}\` \\|[^|]+\\| \`${value}\` \\|`, 'm'));
    expect(PAGE).toContain(`| \`host\` | text | \`${metrics.host}\` | address of that listener |`);
  });
});
