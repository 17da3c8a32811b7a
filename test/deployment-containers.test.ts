import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { ENVIRONMENT_VARIABLES } from '../server-platform/src/config/index.ts';
import { ENVIRONMENT } from '../server-token-proxy/src/environment-table.ts';

const FOLDER = fileURLToPath(new URL('../deploy/', import.meta.url));
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

/** Variables that each server reads, and the port that it has in these files. */
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

describe.each(NAMES)('the image of the %s', (name) => {
  const lines = read(`images/${name}.Dockerfile`);

  it('sets variables that are read, and asks its own port whether it lives', () => {
    const { port } = SERVERS[name];
    const variables = [...lines.matchAll(/^(?:ENV| ) (\w+)=/gm)].map(([, variable = '']) => variable);
    expect(variables).toContain('NODE_ENV');
    expect(unknownTo(name, variables)).toEqual([]);
    expect(lines).toMatch(new RegExp(`PORT=${port}\\b`));
    expect(lines).toContain(`EXPOSE ${port}`);
    expect(lines).toContain(`http://127.0.0.1:${port}/livez`);
  });

  it('starts the command that the package has, as nobody', () => {
    const [, program = ''] = /"node_modules\/@natter\/([\w/.-]+)"/.exec(lines) ?? [];
    const root = fileURLToPath(new URL('..', import.meta.url));
    expect(readFileSync(join(root, `server-${program}`), 'utf8')).toMatch(/^#!\/usr\/bin\/env node/);
    expect(lines).toMatch(/^USER 65532:65532$/m);
  });
});

describe.each(['compose.yaml', 'compose.cluster.yaml'])('deploy/%s', (file) => {
  const compose = parse(read(file)) as Compose;

  it('sets variables that are read, from those of compose.env', () => {
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

  it('leads the services to each other', () => {
    const { platform, 'token-proxy': proxy } = compose.services;
    expect(proxy?.environment?.['NATTER_UPSTREAM_URL']).toBe(`http://platform:${SERVERS.platform.port}`);
    expect(read('containers.Caddyfile')).toContain(`dynamic a platform ${SERVERS.platform.port}`);
    expect(read('containers.Caddyfile')).toContain(`dynamic a token-proxy ${SERVERS['token-proxy'].port}`);
    const [, database = ''] = /@([\w-]+):5432\//.exec(platform?.environment?.['DATABASE_URL'] ?? '') ?? [];
    expect(Object.keys(compose.services)).toContain(database);
    expect(Object.keys(platform?.depends_on ?? {})).toContain(database);
  });
});

it('deploy/compose.cluster.yaml has several of both, a bus, and no pool by transaction', () => {
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

  /** A template with its values in place, without the blocks of a condition. */
  const fill = (template: string): string =>
    template
      .replaceAll(/^ *\{\{- (?:if .*|end) \}\}\n/gm, '')
      .replaceAll(/\{\{- toYaml .*\}\}/g, '{}')
      .replaceAll(/\{\{ .*? \}\}/g, 'filled');

  it('uses values that there are, and closes what it opens', () => {
    for (const template of templates) {
      const paths = [...template.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path);
      const find = (path: string): unknown =>
        path.split('.').reduce<unknown>((value, key) => Reflect.get(Object(value), key), values);
      expect(paths.filter((path) => find(path) === undefined)).toEqual([]);
      expect(template.match(/\{\{- if /g)?.length).toBe(template.match(/\{\{- end /g)?.length);
    }
  });

  it('is YAML with variables, ports and probes of the servers', () => {
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
  it.each(NAMES)('run the %s at Fly with variables that are read', (name) => {
    const file = parseToml(read(`fly/${name}.toml`)) as {
      readonly env: object;
      readonly build: { readonly dockerfile: string };
    };
    expect(unknownTo(name, Object.keys(file.env))).toEqual([]);
    expect(readFileSync(join(FOLDER, 'fly', file.build.dockerfile), 'utf8')).toContain('FROM');
    expect(read(`fly/${name}.toml`)).toContain(`internal_port = ${SERVERS[name].port}`);
  });

  it('lead a tunnel of Cloudflare to both', () => {
    const { ingress } = parse(read('cloudflared.yaml')) as {
      readonly ingress: readonly { readonly service: string }[];
    };
    expect(ingress.slice(0, 2).map(({ service }) => service)).toEqual(
      NAMES.map((name) => `http://127.0.0.1:${SERVERS[name].port}`),
    );
  });

  it.runIf(spawnSync('caddy', ['version']).error === undefined)(
    'are a configuration that Caddy takes',
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
