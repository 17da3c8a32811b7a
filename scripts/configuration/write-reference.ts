import { toJsonSchema } from '@valibot/to-json-schema';
import { agentConfigSchema } from '../../server-platform/src/agents/agent-config.ts';
import { COMMAND_LINE_OPTIONS, SERVE_USAGE } from '../../server-platform/src/app/cli/command-line-options.ts';
import { COMMANDS } from '../../server-platform/src/app/commands.ts';
import { configFileSchema } from '../../server-platform/src/app/config/config-file-schema.ts';
import { ENVIRONMENT_VARIABLES } from '../../server-platform/src/app/config/environment.ts';
import { ENVIRONMENT } from '../../server-token-proxy/src/command/read-environment.ts';
import { code, describeValue, type JsonSchema, listSettings, type Setting } from './list-settings.ts';
import { SECTIONS, type SettingSection } from './setting-sections.ts';

/** Settings of the file that an environment variable or an option sets too. */
const ENVIRONMENT_OF: Readonly<Record<string, string>> = {
  NATTER_CONFIG: '',
  DATABASE_URL: 'database.url',
  NATTER_BUS_URL: 'bus.url',
  NATTER_BUS_CREDENTIALS_FILE: 'bus.credentialsFile',
  NATTER_BUS_CA_FILE: 'bus.caFile',
  NATTER_DATA_DIR: 'database.dataDir',
  NATTER_HOST: 'server.host',
  NATTER_PORT: 'server.port',
  NATTER_TRUSTED_PROXY_HOPS: 'server.trustedProxyHops',
  NATTER_TOKEN_PROXY_URL: 'server.tokenProxyUrl',
  NATTER_TOKEN_SECRET: 'keys.tokenSecrets',
  NATTER_METRICS_PORT: 'metrics.port',
  NATTER_METRICS_HOST: 'metrics.host',
  NATTER_METRICS_TOKEN: 'metrics.token',
  NATTER_ACCESS_LOG: 'accessLog',
  NATTER_MIGRATE_TO_URL: '',
  OTEL_EXPORTER_OTLP_ENDPOINT: '',
  NATTER_LOG_LEVEL: 'logLevel',
};

const HEAD = `# Configuration reference

Every setting of the platform and of the token proxy. \`npm run generate -- configuration\` writes this page from the schema that checks the configuration file; [Running the platform](platform.md) explains how the settings go together.

Options of the command line override environment variables, and these override the file that \`--config\` or \`NATTER_CONFIG\` names. The file is JSON. Relative paths in it start at the file's own folder. An unknown setting is an error that names the setting.
`;

/** Every setting of the configuration file, including agents'. */
export function readSettings(): readonly Setting[] {
  const convert = (schema: Parameters<typeof toJsonSchema>[0]): JsonSchema =>
    // What JSON schema cannot say are checks of one setting against another.
    toJsonSchema(schema, { errorMode: 'ignore', typeMode: 'input' }) as JsonSchema;
  const file = listSettings(convert(configFileSchema));
  return [...file, ...listSettings(convert(agentConfigSchema), 'agents.*')];
}

/** The section that describes a setting, and the setting's path within it; null: no section holds its object. */
export function findSection({
  parent,
  name,
}: Setting): { readonly section: SettingSection; readonly path: string } | null {
  const found = SECTIONS.flatMap((section) => section.at.map((at) => ({ section, at })))
    .filter(
      ({ at }) =>
        parent === at || (at !== '' && parent.startsWith(at) && /^[.[]/.test(parent.slice(at.length))),
    )
    .sort((one, other) => other.at.length - one.at.length)[0];
  if (found === undefined) return null;
  const inner = parent.slice(found.at.length).replace(/^\./, '');
  const path = inner === '' ? name : `${inner}.${name}`;
  return { section: found.section, path };
}

/** Writes the table of variables into the README of the token proxy. */
export function writeProxyReadme(readme: string): string {
  const rows = ENVIRONMENT.map(({ name, purpose, fallback }) => [code(name), purpose, fallback]);
  // The first line that is not a row ends the table.
  return readme.replace(/^\| Variable .*\n(?:\|.*\n)*/m, () =>
    table(['Variable', 'Effect', 'Default'], rows),
  );
}

/** Writes `docs/configuration.md`. */
export function writeReference(): string {
  const settings = readSettings();
  const file = SECTIONS.map((section) => writeSection(section, settings)).join('\n');
  return `${HEAD}
## Configuration file

${file}
## Environment variables of the platform

${table(
  ['Variable', 'In the file', 'Effect'],
  Object.entries(ENVIRONMENT_VARIABLES).map(([name, help]) => [
    code(name),
    ENVIRONMENT_OF[name] ? code(ENVIRONMENT_OF[name]) : '',
    help,
  ]),
)}
\`HTTP_PROXY\`, \`HTTPS_PROXY\` and \`NODE_USE_ENV_PROXY\` have no effect on the platform's requests to webhooks, models, desks, speech, embeddings, translations and object storage: it connects to the address that it has checked, and a proxy would resolve the name again. If your network needs a proxy, allow these hosts in the firewall, or configure the address of a gateway instead. The token proxy calls the platform with Node's \`fetch\`, which does use a proxy when \`NODE_USE_ENV_PROXY=1\` is set.

## Command line of the platform

\`\`\`text
natter-platform serve ${SERVE_USAGE}
${Object.entries(COMMANDS)
  .map(([command, { usage }]) => `natter-platform ${command} ${usage}`.trimEnd())
  .join('\n')}
\`\`\`

${table(
  ['Option', 'Effect'],
  Object.entries(COMMAND_LINE_OPTIONS).map(([name, option]) => [
    `${'short' in option ? `\`-${option.short}\`, ` : ''}\`--${name}\``,
    option.help,
  ]),
)}
## Environment variables of the token proxy

${table(
  ['Variable', 'Default', 'Effect'],
  ENVIRONMENT.map(({ name, purpose, fallback }) => [code(name), fallback, purpose]),
)}`;
}

function writeSection(section: SettingSection, settings: readonly Setting[]): string {
  const [first] = section.at;
  const own = settings.flatMap((setting) => {
    const found = findSection(setting);
    if (found?.section !== section || !(setting.parent === first || setting.parent.startsWith(first ?? '')))
      return [];
    return [{ ...setting, path: found.path }];
  });
  const rows = own.map(({ path, schema, isRequired }) => {
    const described = section.settings[path];
    const { help, fallback } =
      typeof described === 'object' ? described : { help: described ?? '', fallback: null };
    return [code(path), describeValue(schema), writeFallback(schema, isRequired, fallback), help];
  });
  const intro = section.intro === undefined ? '' : `${section.intro}\n\n`;
  return `### ${section.title}\n\n${intro}${table(['Setting', 'Value', 'Default', 'Effect'], rows)}`;
}

function writeFallback(schema: JsonSchema, isRequired: boolean, fallback: string | null): string {
  if (isRequired) return 'required';
  if (fallback !== null) return fallback;
  const { default: standard } = schema;
  if (standard === undefined || standard === null) return 'none';
  if (Array.isArray(standard) && standard.length === 0) return 'none';
  if (typeof standard === 'object' && !Array.isArray(standard))
    return schema.properties === undefined ? 'none' : 'the defaults';
  return standard === '' ? 'empty' : code(standard);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  return `${line(head)}|${' --- |'.repeat(head.length)}\n${rows.map(line).join('')}`;
}
