import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse as parseToml } from 'smol-toml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { ENVIRONMENT_VARIABLES } from '../../server-platform/src/app/config/index.ts';
import { ENVIRONMENT } from '../../server-token-proxy/src/command/read-environment.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = join(ROOT, 'deploy');
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

/** Variables of each server, and its port in these files. */
const SERVERS = {
  platform: { variables: Object.keys(ENVIRONMENT_VARIABLES), port: 8080, probes: ['/livez', '/readyz'] },
  'token-proxy': { variables: ENVIRONMENT.map(({ name }) => name), port: 8787, probes: ['/livez'] },
} as const;
type ServerName = keyof typeof SERVERS;
const NAMES = Object.keys(SERVERS) as readonly ServerName[];

const unknownTo = (name: ServerName, variables: readonly string[]): readonly string[] =>
  variables.filter(
    (variable) => variable !== 'NODE_ENV' && !SERVERS[name].variables.some((known) => known === variable),
  );

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string; readonly target: string };
  readonly volumes?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly deploy?: { readonly replicas: number };
  readonly depends_on?: Readonly<Record<string, unknown>>;
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: object;
  readonly volumes: object;
}

/** Runs `npm run deploy:env` for a separate folder. */
const writeEnvironment = (folder: string, chat = 'chat.example.com', site = 'www.example.com') =>
  spawnSync(process.execPath, [join(ROOT, 'scripts/deploy-env.ts'), chat, site, folder], {
    encoding: 'utf8',
  });

let written: string;
beforeAll(() => {
  written = mkdtempSync(join(tmpdir(), 'natter-deploy-env-'));
  const { status, stderr } = writeEnvironment(written);
  expect(status, stderr).toBe(0);
});
afterAll(() => rmSync(written, { recursive: true }));

describe('npm run deploy:env', () => {
  const readWritten = (name: string): string => readFileSync(join(written, name), 'utf8');
  const variables = (text: string): Record<string, string> =>
    Object.fromEntries(
      [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
    );

  it('npm run deploy:env fills in every variable, and gives platform and token proxy the same connector', () => {
    const values = variables(readWritten('.env'));
    expect(Object.keys(values)).toEqual(Object.keys(variables(read('compose.env'))));
    expect(Object.entries(values).filter(([, value]) => value === '')).toEqual([]);
    expect(values).toMatchObject({
      NATTER_CHAT_HOST: 'chat.example.com',
      NATTER_CONNECTOR_HOST: 'www.example.com',
    });
    const configuration = JSON.parse(readWritten('deploy/local/natter.json'));
    const [connector] = configuration.accounts[0].projects[0].connectors;
    expect(connector).toMatchObject({ hosts: ['www.example.com'], token: values['NATTER_CONNECTOR_TOKEN'] });
  });

  it('npm run deploy:env creates different secrets each time, which other users of the machine cannot read', () => {
    const second = mkdtempSync(join(tmpdir(), 'natter-deploy-env-'));
    try {
      writeEnvironment(second);
      const [ours, theirs] = [written, second].map((folder) =>
        variables(readFileSync(join(folder, '.env'), 'utf8')),
      );
      for (const name of [
        'NATTER_CONNECTOR_TOKEN',
        'NATTER_TICKET_KEYS',
        'NATTER_TOKEN_SECRET',
        'POSTGRES_PASSWORD',
      ])
        expect(ours?.[name], name).not.toBe(theirs?.[name]);
    } finally {
      rmSync(second, { recursive: true });
    }
    if (process.platform === 'win32') return;
    const modeOf = (name: string): number => statSync(join(written, name)).mode & 0o777;
    expect([modeOf('.env'), modeOf('deploy/local')]).toEqual([0o600, 0o700]);
  });

  it('npm run deploy:env overwrites nothing', () => {
    const before = readWritten('.env');
    const { status, stderr } = writeEnvironment(written);
    expect([status, stderr]).toEqual([1, expect.stringContaining('exists already')]);
    expect(readWritten('.env')).toBe(before);
  });
});

const DOCKERFILE = read('Dockerfile');

describe.each(NAMES)('the image of the %s', (name) => {
  const lines = new RegExp(`^FROM base AS ${name}\n(?:(?!FROM ).*\n)*`, 'm').exec(DOCKERFILE)?.[0] ?? '';

  it(`the image of the ${name} sets variables that its server reads, and checks its own port`, () => {
    const { port } = SERVERS[name];
    const variables = [...lines.matchAll(/^(?:ENV| ) (\w+)=/gm)].map(([, variable = '']) => variable);
    expect(variables.length).toBeGreaterThan(1);
    expect(unknownTo(name, variables)).toEqual([]);
    expect(lines).toMatch(new RegExp(`PORT=${port}\\b`));
    expect(lines).toContain(`EXPOSE ${port}`);
    expect(lines).toContain(`http://127.0.0.1:${port}/livez`);
  });

  it(`the image of the ${name} starts the command of its package, without privileges`, () => {
    const [, program = ''] = /"(bin\/[\w.-]+)"/.exec(lines) ?? [];
    expect(readFileSync(join(ROOT, `server-${name}`, program), 'utf8')).toMatch(/^#!\/usr\/bin\/env node/);
    expect(DOCKERFILE).toMatch(/ AS base\n(?:.*\n)*?USER 65532:65532\n/);
  });
});

describe.each(['compose.yaml', 'compose.cluster.yaml'])('deploy/%s', (file) => {
  const compose = parse(read(file)) as Compose;

  it(`deploy/${file} sets variables that the servers read, from those of compose.env`, () => {
    for (const name of NAMES) {
      const {
        environment = {},
        read_only: isReadOnly,
        cap_drop: dropped,
      } = compose.services[name] ?? { image: '' };
      expect(Object.keys(environment).length).toBeGreaterThan(5);
      expect(unknownTo(name, Object.keys(environment))).toEqual([]);
      expect([isReadOnly, dropped]).toEqual([true, ['ALL']]);
    }
    const wanted = new Set([...read(file).matchAll(/\$\{(\w+)/g)].map(([, variable = '']) => variable));
    const given = [...read('compose.env').matchAll(/^(\w+)=/gm)].map(([, variable = '']) => variable);
    expect([...wanted].filter((variable) => !given.includes(variable))).toEqual([]);
  });

  it(`deploy/${file} builds both images from the repository, and pins the others by digest`, () => {
    const others = Object.entries(compose.services).filter(([name]) => !NAMES.some((own) => own === name));
    for (const name of NAMES) {
      const { context = '', dockerfile = '', target = '' } = compose.services[name]?.build ?? {};
      expect(relative(ROOT, join(FOLDER, context))).toBe('');
      expect(readFileSync(join(ROOT, dockerfile), 'utf8')).toMatch(new RegExp(` AS ${target}$`, 'm'));
      expect(target).toBe(name);
    }
    const images = others.map(([, { image }]) => image);
    const bases = [...DOCKERFILE.matchAll(/^FROM (\S+[:/]\S+) AS/gm)].map(([, image = '']) => image);
    expect(bases).toHaveLength(2);
    for (const image of [...images, ...bases]) expect(image).toMatch(/:[\w.-]+@sha256:[0-9a-f]{64}$/);
  });

  it(`deploy/${file} mounts files that exist, or that npm run deploy:env writes`, () => {
    const mounted = Object.values(compose.services)
      .flatMap(({ volumes = [] }) => volumes)
      .filter((volume) => volume.startsWith('.'))
      .map((volume) => volume.split(':')[0] ?? '');
    expect(mounted.length).toBeGreaterThan(2);
    for (const file of mounted)
      expect(existsSync(join(FOLDER, file)) || existsSync(join(written, 'deploy', file)), file).toBe(true);
  });

  it(`deploy/${file} connects the services with each other`, () => {
    const { platform, 'token-proxy': proxy } = compose.services;
    expect(proxy?.environment?.['NATTER_UPSTREAM_URL']).toBe(`http://platform:${SERVERS.platform.port}`);
    expect(read('containers.Caddyfile')).toContain(`dynamic a platform ${SERVERS.platform.port}`);
    expect(read('containers.Caddyfile')).toContain(`dynamic a token-proxy ${SERVERS['token-proxy'].port}`);
    const [, database = ''] = /@([\w-]+):5432\//.exec(platform?.environment?.['DATABASE_URL'] ?? '') ?? [];
    expect(Object.keys(compose.services)).toContain(database);
    expect(Object.keys(platform?.depends_on ?? {})).toContain(database);
  });
});

it('deploy/compose.cluster.yaml has several of both servers, a bus, and no transaction pooling', () => {
  const { services } = parse(read('compose.cluster.yaml')) as Compose;
  expect([services['platform']?.deploy?.replicas, services['token-proxy']?.deploy?.replicas]).toEqual([3, 2]);
  expect(services['platform']?.environment?.['NATTER_BUS_URL']).toContain('@nats:4222');
  expect(services['pgbouncer']?.environment?.['POOL_MODE']).toBe('session');
});

describe('the chart', () => {
  const CHART = 'helm/natter';
  const templates = readdirSync(join(FOLDER, CHART, 'templates')).map((name) =>
    read(`${CHART}/templates/${name}`),
  );
  const values = parse(read(`${CHART}/values.yaml`)) as object;

  /** Returns a template with its values filled in, without conditional blocks. */
  const fill = (template: string): string =>
    template
      .replaceAll(/^ *\{\{- (?:if .*|end) \}\}\n/gm, '')
      .replaceAll(/\{\{- toYaml .*\}\}/g, '{}')
      .replaceAll(/\{\{ .*? \}\}/g, 'filled');

  it('the chart uses existing values, and closes every block', () => {
    for (const template of templates) {
      const paths = [...template.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path);
      const find = (path: string): unknown =>
        path.split('.').reduce<unknown>((value, key) => Reflect.get(Object(value), key), values);
      expect(paths.filter((path) => find(path) === undefined)).toEqual([]);
      expect(template.match(/\{\{- if /g)?.length).toBe(template.match(/\{\{- end /g)?.length);
    }
  });

  it('the chart is YAML with variables, ports and probes of the servers', () => {
    expect(parse(read(`${CHART}/Chart.yaml`))).toMatchObject({ apiVersion: 'v2', name: 'natter' });
    const documents = templates.flatMap((template) =>
      parseAllDocuments(fill(template)).map((document) => {
        expect(document.errors).toEqual([]);
        return document.toJS();
      }),
    );
    expect(documents.length).toBeGreaterThan(4);
    for (const name of NAMES) {
      const { port, probes } = SERVERS[name];
      const containers = documents.flatMap((document) => document.spec.template?.spec.containers ?? []);
      const container = containers.find((one) => one.name === name);
      expect(
        unknownTo(
          name,
          container.env.map((one: { readonly name: string }) => one.name),
        ),
      ).toEqual([]);
      expect(container.ports[0].containerPort).toBe(port);
      const paths = [container.livenessProbe.httpGet.path, container.readinessProbe.httpGet.path];
      expect(new Set(paths)).toEqual(new Set(probes));
      expect(container.securityContext.readOnlyRootFilesystem).toBe(true);
    }
  });
});

describe('the files for edges', () => {
  it.each(NAMES)('deploy/ runs the %s at Fly with variables that it reads', (name) => {
    const file = parseToml(read(`fly/${name}.toml`)) as {
      readonly env: object;
      readonly build: { readonly dockerfile: string };
    };
    expect(unknownTo(name, Object.keys(file.env))).toEqual([]);
    expect(readFileSync(join(FOLDER, 'fly', file.build.dockerfile), 'utf8')).toContain('FROM');
    expect(read(`fly/${name}.toml`)).toContain(`internal_port = ${SERVERS[name].port}`);
  });

  it('the Cloudflare tunnel leads to both servers', () => {
    const { ingress } = parse(read('cloudflared.yaml')) as {
      readonly ingress: readonly { readonly service: string }[];
    };
    expect(ingress.slice(0, 2).map(({ service }) => service)).toEqual(
      NAMES.map((name) => `http://127.0.0.1:${SERVERS[name].port}`),
    );
  });

  it.runIf(spawnSync('caddy', ['version']).error === undefined)(
    'Caddy accepts the configuration of the edge',
    () => {
      const { status, stderr } = spawnSync(
        'caddy',
        ['validate', '--adapter', 'caddyfile', '--config', join(FOLDER, 'containers.Caddyfile')],
        { encoding: 'utf8', env: { ...process.env, NATTER_CHAT_HOST: 'chat.example.com' } },
      );
      expect(status, stderr).toBe(0);
    },
  );
});
