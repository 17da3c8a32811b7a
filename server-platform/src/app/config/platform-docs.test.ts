import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAgentConfig } from '../../agents/index.ts';
import { MAX_QUEUED_ROWS } from '../../realtime/event-log/index.ts';
import { DEFAULT_MESSAGING_LIMITS } from '../../realtime/messaging-limits.ts';
import { COMMANDS } from '../commands.ts';
import { ENVIRONMENT_VARIABLES } from './environment.ts';
import { loadConfig, parseConfigFile } from './load-config.ts';
import { DEFAULT_REST_CONFIG, REST_CONFIG_HELP } from './rest-config.ts';

const DOCS = readFileSync(new URL('../../../../docs/platform.md', import.meta.url), 'utf8');
const MODELS = readFileSync(new URL('../../../../docs/models.md', import.meta.url), 'utf8');

/** The rows of the table whose first heading is `heading`, cell by cell. */
function readTable(heading: string): readonly (readonly string[])[] {
  const lines = DOCS.split('\n');
  const rows = lines.slice(lines.findIndex((line) => line.startsWith(`| ${heading} |`)) + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(0, end).map((row) =>
    row
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}

/** The rows of the table of environment variables, code marks removed. */
const readVariables = (): readonly (readonly string[])[] =>
  readTable('Variable').map((row) => row.map((cell) => cell.replace(/^`|`$/g, '')));

/** The code blocks of a language. */
const readBlocks = (language: string, page = DOCS): readonly string[] =>
  [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, name, code = '']) =>
    name === language ? [code] : [],
  );

describe('the guide to running the platform', () => {
  it('lists in the guide the environment variables that are read, and their effect', () => {
    expect(readVariables().map(([name, purpose]) => [name, purpose])).toEqual(
      Object.entries(ENVIRONMENT_VARIABLES),
    );
  });

  it('gives in the guide the effective defaults', async () => {
    const { host, port, trustedProxyHops, logLevel, database } = await loadConfig({}, {});
    const defaults = Object.fromEntries(readVariables().map(([name = '', , fallback]) => [name, fallback]));
    expect(defaults).toMatchObject({
      NATTER_DATA_DIR: database.dataDir,
      NATTER_HOST: host,
      NATTER_PORT: String(port),
      NATTER_TRUSTED_PROXY_HOPS: String(trustedProxyHops),
      NATTER_LOG_LEVEL: logLevel,
    });
  });

  it('lists in the guide the settings of the REST families, their effect and defaults', () => {
    expect(readTable('Setting')).toEqual(
      Object.entries(REST_CONFIG_HELP).map(([name, { help, fallback }]) => [`\`${name}\``, help, fallback]),
    );
    expect(DEFAULT_REST_CONFIG).toMatchObject({
      vendorNames: false,
      webhookHeaderStyle: 'neutral',
      hosts: { runtime: null, monitoring: null },
      requestsPerMinute: null,
      chatIdleTimeoutSeconds: 1800,
      dniReservationSeconds: 900,
      hasSimulatedCalls: false,
      voice: { provider: 'embedded', endpoints: {}, objectStore: null },
      publicUrl: null,
    });
  });

  it('shows a valid configuration file in the guide', () => {
    const [example = ''] = readBlocks('json');
    const { accounts, agents } = parseConfigFile(example, 'the guide');
    expect(Object.values(agents).map((agent) => parseAgentConfig(agent).name)).toEqual(['Ada']);
    expect(accounts.flatMap(({ projects }) => projects.map(({ agent }) => agent))).toEqual(
      Object.keys(agents),
    );
  });

  it('shows a valid agent for every model provider in the guide', () => {
    const agents = readBlocks('json', MODELS);
    expect(agents).toHaveLength(8);
    // The ellipsis of a key replaces the secret part.
    for (const agent of agents)
      expect(parseAgentConfig(JSON.parse(agent.replaceAll('…', 'x')))).toMatchObject({ kind: 'llm' });
  });

  it('lists commands in the guide as --help does', () => {
    const [commands = ''] = readBlocks('text');
    expect(commands.trim().split('\n')).toEqual(
      Object.entries(COMMANDS).map(([command, { usage }]) => `natter-platform ${command} ${usage}`.trimEnd()),
    );
  });

  it('states the effective limits in the guide', () => {
    const { accessTokensPerMinute, sessionsPerMinute } = DEFAULT_MESSAGING_LIMITS;
    expect(DOCS).toContain(`${accessTokensPerMinute} access tokens a minute`);
    expect(DOCS).toContain(`${sessionsPerMinute} sessions a minute for each address`);
    expect(DOCS).toContain(`more than ${MAX_QUEUED_ROWS.toLocaleString('en')} events wait to be written`);
  });
});
