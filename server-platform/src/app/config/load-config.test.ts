import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_MESSAGING_LIMITS } from '../../realtime/messaging-limits.ts';
import { ENVIRONMENT_VARIABLES } from './environment.ts';
import { loadConfig, parseConfigFile } from './load-config.ts';

describe('the configuration', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'natter-config-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const write = async (content: unknown): Promise<string> => {
    const path = join(folder, 'natter.json');
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };

  it('loads a configuration without any file or variable', async () => {
    const config = await loadConfig({}, {});
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      database: { url: null, dataDir: '.natter/platform', durable: true },
      tokenSecrets: [],
      accounts: [],
      limits: DEFAULT_MESSAGING_LIMITS,
    });
    expect([...config.agents.keys()]).toEqual(['kittiwake']);
  });

  it('prefers the command line to the environment, and both to the file', async () => {
    const configFile = await write({
      server: { host: 'file', port: 1, trustedProxyHops: 2 },
      logLevel: 'warn',
    });
    const env = { NATTER_CONFIG: configFile, NATTER_PORT: '2', NATTER_HOST: ' env ', DATABASE_URL: '' };
    expect(await loadConfig({ port: 3 }, env)).toMatchObject({
      host: 'env',
      port: 3,
      trustedProxyHops: 2,
      logLevel: 'warn',
    });
    expect((await loadConfig({ configFile: await write({}) }, env)).port).toBe(2);
  });

  it('reads every environment variable listed in the help', async () => {
    const values: Record<string, string> = {
      NATTER_CONFIG: await write({}),
      DATABASE_URL: 'postgres://db/natter',
      NATTER_BUS_URL: 'nats://nats:4222',
      NATTER_BUS_CREDENTIALS_FILE: 'nats.creds',
      NATTER_BUS_CA_FILE: 'ca.pem',
      NATTER_DATA_DIR: 'elsewhere',
      NATTER_HOST: '0.0.0.0',
      NATTER_PORT: '0',
      NATTER_TRUSTED_PROXY_HOPS: '1',
      NATTER_TOKEN_PROXY_URL: 'https://Chat.example.com/natter/',
      NATTER_TOKEN_SECRET: 's'.repeat(32),
      NATTER_METRICS_PORT: '9464',
      NATTER_METRICS_HOST: '10.0.0.1',
      NATTER_METRICS_TOKEN: 'm'.repeat(20),
      NATTER_ACCESS_LOG: 'true',
      NATTER_LOG_LEVEL: 'debug',
    };
    // A command and the tracing library read these directly.
    const elsewhere = ['NATTER_MIGRATE_TO_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
    expect([...Object.keys(values), ...elsewhere].sort()).toEqual(Object.keys(ENVIRONMENT_VARIABLES).sort());
    expect(await loadConfig({}, values)).toMatchObject({
      host: '0.0.0.0',
      port: 0,
      trustedProxyHops: 1,
      tokenProxyUrl: 'https://chat.example.com/natter',
      database: { url: 'postgres://db/natter', dataDir: 'elsewhere' },
      busFiles: { credentialsFile: 'nats.creds', caFile: 'ca.pem' },
      tokenSecrets: ['s'.repeat(32)],
      metrics: { port: 9464, host: '10.0.0.1', token: 'm'.repeat(20) },
      accessLog: true,
      logLevel: 'debug',
    });
    await expect(loadConfig({}, { NATTER_ACCESS_LOG: 'yes' })).rejects.toThrow('must be true or false');
  });

  it('refuses a metrics host without a metrics port', async () => {
    await expect(loadConfig({}, { NATTER_METRICS_HOST: '10.0.0.1' })).rejects.toThrow(
      'NATTER_METRICS_HOST: needs NATTER_METRICS_PORT',
    );
    const configFile = await write({ metrics: { host: '10.0.0.1' } });
    const { metrics } = await loadConfig({ configFile }, { NATTER_METRICS_PORT: '9464' });
    expect(metrics).toEqual({ port: 9464, host: '10.0.0.1', token: null });
  });

  it('lists every invalid or incompatible permission of every key at once', () => {
    const keys = [
      { name: 'a', permissions: ['flying', 'chat', 'swimming'] },
      { name: 'b', permissions: ['chat', 'external_events'] },
      { name: 'c', permissions: ['conversations'] },
    ];
    const accounts = [
      { slug: 'a', keys: [{ name: 'd', permissions: ['dni'] }], projects: [{ slug: 'p', keys }] },
    ];
    const parse = (): unknown => parseConfigFile(JSON.stringify({ accounts }), 'natter.json');
    expect(parse).toThrow(
      expect.objectContaining({
        problems: [
          {
            field: 'accounts[0].projects[0].keys[0].permissions[0]',
            message: expect.stringContaining('no permission "flying"'),
          },
          {
            field: 'accounts[0].projects[0].keys[0].permissions[2]',
            message: expect.stringContaining('no permission "swimming"'),
          },
          {
            field: 'accounts[0].projects[0].keys[1]',
            message: 'A key for external_events is used for nothing else: add another key for the rest.',
          },
          {
            field: 'accounts[0].keys[0]',
            message: 'A key for dni is tied to one virtual agent: name its project.',
          },
        ],
      }),
    );
  });

  it('lists every invalid environment variable at once, without its value', async () => {
    const env = {
      NATTER_PORT: '70000',
      NATTER_TOKEN_PROXY_URL: 'https://ada:pw@chat.example.com',
      NATTER_TOKEN_SECRET: 'hunter2',
      NATTER_LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://u:pw@h',
      NATTER_BUS_URL: 'redis://h',
    };
    const error: unknown = await loadConfig({}, env).catch((reason: unknown) => reason);
    const fields = [
      'DATABASE_URL',
      'NATTER_BUS_URL',
      'NATTER_TOKEN_PROXY_URL',
      'NATTER_TOKEN_SECRET',
      'NATTER_LOG_LEVEL',
      'NATTER_PORT',
    ];
    expect(error).toMatchObject({ code: 'invalid_config', problems: fields.map((field) => ({ field })) });
    expect(String(error)).not.toMatch(/hunter2|pw@/);
  });

  it('accepts an IPv6 address to listen on with or without brackets, from every source', async () => {
    const configFile = await write({ server: { host: '[::1]' } });
    expect((await loadConfig({ configFile }, {})).host).toBe('::1');
    expect((await loadConfig({}, { NATTER_HOST: '[::]' })).host).toBe('::');
    expect((await loadConfig({ host: '::1' }, {})).host).toBe('::1');
    const badFile = await write({ server: { host: 'http://0.0.0.0' } });
    await expect(loadConfig({ configFile: badFile }, {})).rejects.toThrow('server.host: must be an address');
    await expect(loadConfig({}, { NATTER_HOST: '0.0.0.0:8080' })).rejects.toThrow('NATTER_HOST: must be');
    await expect(loadConfig({ host: '[lighthouse]' }, {})).rejects.toThrow('--host: must be an address');
  });

  it.each(['postgres://u:geheim@db:port/n', 'postgres://u:geheim#@db/n'])(
    'locates the fault in a PostgreSQL address that cannot be read: %s',
    async (url) => {
      const configFile = await write({ database: { url }, bus: { url } });
      const env = { DATABASE_URL: url, NATTER_BUS_URL: url };
      for (const [given, fields] of [
        [{ configFile }, ['database.url', 'bus.url']],
        [{}, ['DATABASE_URL', 'NATTER_BUS_URL']],
      ] as const) {
        const error: unknown = await loadConfig(given, 'configFile' in given ? {} : env).catch(
          (reason: unknown) => reason,
        );
        expect(error).toMatchObject({ problems: fields.map((field) => ({ field })) });
        expect(String(error)).not.toContain('geheim');
      }
    },
  );

  it('resolves paths in the configuration file relative to the file', async () => {
    const configFile = await write({
      database: { dataDir: 'data' },
      agents: { ada: { kind: 'knowledge', name: 'Ada', knowledgeFolder: 'articles' } },
    });
    const config = await loadConfig({ configFile }, {});
    expect(config.database.dataDir).toBe(join(folder, 'data'));
    expect(config.agents.get('ada')).toMatchObject({ knowledgeFolder: join(folder, 'articles') });
  });

  it('changes only the configured limits', async () => {
    const configFile = await write({ limits: { maxSocketsPerSession: 3, maxReconnectAttempts: 0 } });
    expect((await loadConfig({ configFile }, {})).limits).toEqual({
      ...DEFAULT_MESSAGING_LIMITS,
      maxSocketsPerSession: 3,
      maxReconnectAttempts: 0,
    });
  });

  const connector = { name: 'web', hosts: ['example.com'] };
  const withConnector = (fields: object): object => ({
    accounts: [{ slug: 'a', projects: [{ slug: 'p', connectors: [{ ...connector, ...fields }] }] }],
  });
  const at = 'accounts[0].projects[0].connectors[0]';
  it.each([
    ['an unknown setting', { servr: {} }, '', 'there is no setting "servr"'],
    ['an unknown limit', { limits: { maxSocket: 1 } }, 'limits', 'there is no setting "maxSocket"'],
    ['a limit of no use', { limits: { frameBurst: 0 } }, 'limits.frameBurst', 'must be at least 1'],
    ['a text for a number', { server: { port: '80' } }, 'server.port', 'must be a number'],
    ['a missing name', { accounts: [{}] }, 'accounts[0]', '"slug" is missing'],
    ['no object', { server: 7 }, 'server', 'must be an object'],
    ['no list', { accounts: {} }, 'accounts', 'must be a list'],
    ['no host', withConnector({ hosts: [] }), `${at}.hosts`, 'must name at least one host'],
    ['an odd host', withConnector({ hosts: [7] }), `${at}.hosts[0]`, 'must be a domain'],
    ['a short token', withConnector({ token: 'x' }), `${at}.token`, 'must have 20 to 256'],
    [
      'an odd vocabulary',
      withConnector({ settings: { event_vocabulary: 'x' } }),
      `${at}.settings.event_vocabulary`,
      'must be "auto"',
    ],
    [
      'an unknown connector setting',
      withConnector({ settings: { origin: true } }),
      `${at}.settings`,
      'there is no setting "origin"',
    ],
    ['an unknown REST setting', { rest: { vendor: true } }, 'rest', 'there is no setting "vendor"'],
    [
      'an odd header style',
      { rest: { webhook_header_style: 'x' } },
      'rest.webhook_header_style',
      'must be "neutral"',
    ],
    [
      'an unknown family',
      { rest: { vendor_names: { phones: true } } },
      'rest.vendor_names',
      'there are chat',
    ],
    [
      'a host without a region',
      { rest: { runtime_host: 'api.example.com', runtime_regions: ['us'] } },
      'rest.runtime_host',
      '{region}',
    ],
    [
      'a host for no region',
      { rest: { runtime_host: 'api.{region}.example.com' } },
      'rest',
      'set both, or none',
    ],
    [
      'a weak secret',
      { keys: { tokenSecrets: ['hunter2'] } },
      'keys.tokenSecrets[0]',
      'must have at least 32 characters',
    ],
  ])('names the field and the accepted values for %s', async (_, content, field, message) => {
    const error: unknown = await loadConfig({ configFile: await write(content) }, {}).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ problems: [{ field, message: expect.stringContaining(message) }] });
    expect(String(error)).not.toContain('hunter2');
  });

  it('refuses an invalid agent, and a name that no agent has', async () => {
    const bad = await write({ agents: { bo: { kind: 'knowledge' } } });
    await expect(loadConfig({ configFile: bad }, {})).rejects.toMatchObject({
      problems: [{ field: 'agents.bo' }],
    });
    const unknown = await write(withConnector({ settings: { agent: 'cy' } }));
    await expect(loadConfig({ configFile: unknown }, {})).rejects.toMatchObject({
      problems: [
        { field: `${at}.settings.agent`, message: expect.stringContaining('there are "kittiwake"') },
      ],
    });
  });

  it("accepts the file's hand-off providers and two built-in ones, and refuses other names", async () => {
    const desk = { kind: 'http', url: 'https://desk.example.com', secret: 's'.repeat(32) };
    const { handoffProviders } = await loadConfig(
      { configFile: await write({ handoffProviders: { desk } }) },
      {},
    );
    expect([...handoffProviders.keys()]).toEqual(['client', 'scripted', 'desk']);
    expect(handoffProviders.get('desk')).toEqual({ ...desk, timeoutMs: 5_000 });
    const weak = await write({ handoffProviders: { desk: { ...desk, secret: 'hunter2' } } });
    await expect(loadConfig({ configFile: weak }, {})).rejects.toMatchObject({
      problems: [{ field: 'handoffProviders.desk.secret', message: 'must have at least 32 characters' }],
    });
    const unknown = await write(withConnector({ settings: { handoff: 'cy' } }));
    await expect(loadConfig({ configFile: unknown }, {})).rejects.toMatchObject({
      problems: [{ field: `${at}.settings.handoff`, message: expect.stringContaining('"scripted"') }],
    });
  });

  it('reports a configuration file that is missing or not JSON, without quoting it', async () => {
    await expect(loadConfig({ configFile: join(folder, 'none.json') }, {})).rejects.toThrow('cannot be read');
    expect(() => parseConfigFile('{"keys": hunter2}', 'x.json')).toThrow(
      /not valid JSON \(line 1, column 10\)$/,
    );
    expect(parseConfigFile('\uFEFF{}', 'x.json')).toEqual(parseConfigFile('{}', 'x.json'));
    expect(() => parseConfigFile('{"keys": hunter2}', 'x.json')).not.toThrow(/hunter2/);
  });
});
