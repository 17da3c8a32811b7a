import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Fence {
  /** Layers this one may import. */
  readonly layers: readonly string[];
  /** Packages this one may import, besides Node's own where `node` is true. */
  readonly packages: readonly string[];
  readonly node: boolean;
}

const fence = (layers: readonly string[], packages: readonly string[] = [], node = false): Fence => ({
  layers,
  packages,
  node,
});

// The picture of CONTRIBUTING.md, "Direction of imports". `src/client` may not know Node or the DOM at all.
const fences: Readonly<Record<string, Fence>> = {
  'src/protocol': fence([]),
  'src/client': fence(
    ['src/protocol'],
    ['@noble/hashes', '@preact/signals-core', 'idb-keyval', 'reconnecting-websocket'],
  ),
  'src/widget': fence(
    ['src/client', 'src/protocol'],
    ['@preact/signals', '@preact/signals-core', 'preact', 'preact-render-to-string'],
  ),
  'src/embed': fence(['src/widget', 'src/client'], ['@preact/signals-core']),
  'src/bindings': fence(['src/client']),
  'src/react': fence(['src/bindings', 'src/embed', 'src/client'], ['react']),
  'src/preact': fence(['src/bindings', 'src/embed', 'src/client'], ['preact']),
  'src/vue': fence(['src/bindings', 'src/embed', 'src/client'], ['vue']),
  'server-sdk': fence([], ['ipaddr.js', 'valibot']),
  'server-token-proxy': fence(
    ['src/protocol', 'server-sdk'],
    [
      'hono',
      '@hono/node-server',
      '@opentelemetry/api',
      '@opentelemetry/context-async-hooks',
      '@opentelemetry/core',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace',
      'jose',
      'pino',
      'rate-limiter-flexible',
      'valibot',
    ],
    true,
  ),
  'server-platform': fence(
    ['src/protocol', 'server-sdk'],
    [
      '@electric-sql/pglite',
      '@electric-sql/pglite-pgvector',
      '@hono/node-server',
      '@opentelemetry/api',
      '@opentelemetry/context-async-hooks',
      '@opentelemetry/core',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace',
      'aws4fetch',
      'drizzle-kit',
      'drizzle-orm',
      'eventsource-parser',
      'hono',
      'jose',
      'oidc-provider',
      'openid-client',
      'p-queue',
      '@nats-io/transport-node',
      '@valibot/to-json-schema',
      'pg',
      'pino',
      'prom-client',
      'undici',
      'rate-limiter-flexible',
      'valibot',
      'ws',
      'yaml',
    ],
    true,
  ),
};

const publishedNames: Readonly<Record<string, string>> = {
  natter: 'src/embed',
  'natter/client': 'src/client',
  'natter/element': 'src/embed',
  'natter/protocol': 'src/protocol',
  '@natter/sdk': 'server-sdk',
  '@natter/token-proxy': 'server-token-proxy',
  '@natter/platform': 'server-platform',
};

const sourceFilesOf = (layer: string): readonly string[] =>
  readdirSync(join(root, layer), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(test|d)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\/(dist|node_modules)\//.test(path));

const importsOf = (path: string): readonly string[] => {
  const text = readFileSync(path, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^'\n]+)'/g)].map((match) => match[1] ?? '');
};

const layerOf = (path: string): string | undefined =>
  Object.keys(fences).find((layer) => path.startsWith(join(root, layer, '/')));

/** What is wrong with one import, or null. */
function judge(
  path: string,
  layer: string,
  { layers, packages, node }: Fence,
  specifier: string,
): string | null {
  const where = `${relative(root, path)} imports ${specifier}`;
  if (specifier.startsWith('.')) {
    const target = resolve(dirname(path), specifier.replace(/\?.*$/, ''));
    const targetLayer = layerOf(target);
    if (targetLayer === layer || targetLayer === undefined) return null;
    if (!layers.includes(targetLayer))
      return `${where}: ${layer} may import ${layers.join(', ') || 'nothing'}`;
    return target === join(root, targetLayer, 'index.ts')
      ? null
      : `${where}: go through ${targetLayer}/index.ts`;
  }
  if (specifier.startsWith('node:')) return node ? null : `${where}: ${layer} runs where there is no Node`;
  const published = publishedNames[specifier];
  if (published) return layers.includes(published) ? null : `${where}: ${layer} may not import ${published}`;
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  // Files in `testing` are set-up that tests share; nothing else imports them.
  if (specifier === 'vitest' && path.includes('/testing/')) return null;
  return packages.includes(specifier) || packages.includes(name)
    ? null
    : `${where}: not among ${layer}'s packages`;
}

describe('the direction of imports', () => {
  it.each(Object.entries(fences))('%s imports only what its fence allows', (layer, rule) => {
    const files = sourceFilesOf(layer);
    const faults = files.flatMap((path) =>
      importsOf(path).flatMap((specifier) => judge(path, layer, rule, specifier) ?? []),
    );
    expect(faults).toEqual([]);
    expect(files.length, 'the layer was found').toBeGreaterThan(0);
  });

  it('notices a forbidden import', () => {
    const path = join(root, 'src/protocol/vocabulary.ts');
    const rule = fences['src/protocol'] ?? fence([]);
    expect(judge(path, 'src/protocol', rule, '../client/index.ts')).toContain('may import nothing');
    expect(judge(path, 'src/protocol', rule, 'node:fs')).toContain('no Node');
    expect(judge(path, 'src/protocol', rule, '@preact/signals-core')).toContain('not among');
  });
});

// The platform's parts, lowest first. A part may import those before it; a part that is a folder through its index.ts.
const FLOORS = [
  ...[
    'clock.ts',
    'stream-safe-text.ts',
    'admin-socket.ts',
    'tracing',
    'ids',
    'logger.ts',
    'shutdown.ts',
    'services.ts',
  ],
  ...['db', 'bus', 'http', 'auth', 'sweep'],
  'accounts',
  ...['agents', 'knowledge', 'external-events'],
  'messaging',
  'rest',
  ...[
    'conversations',
    'concurrency',
    'numbers',
    'chat',
    'event-intake',
    'voice',
    'erasure',
    'backup',
    'webhooks',
    'alerts',
  ],
  ...['handoff', 'openapi', 'asyncapi', 'documentation.ts', 'desk', 'console', 'families.ts'],
  'config',
  ...['commands.ts', 'run-command.ts'],
  ...[
    'platform-options.ts',
    'server-context.ts',
    'request-observer.ts',
    'serve.ts',
    'platform-services.ts',
    'start-platform.ts',
    'index.ts',
  ],
  ...['command-line-options.ts', 'completion.ts', 'cli.ts'],
];

/** What is wrong with an import between two parts of the platform, or null. */
function judgeFloors(path: string, specifier: string): string | null {
  const platform = join(root, 'server-platform/src');
  if (!specifier.startsWith('.')) return null;
  const [from, target] = [path, resolve(dirname(path), specifier)].map((each) => relative(platform, each));
  const [part = '', wanted = ''] = [from, target].map((each) => each?.split('/')[0]);
  if (part === wanted) return null;
  const where = `${from} imports ${target}`;
  const [own, other] = [part, wanted].map((name) => FLOORS.indexOf(name));
  if (own === -1 || other === -1) return `${where}: one of them has no place among the floors`;
  if (Number(own) < Number(other)) return `${where}: ${part} is below ${wanted}`;
  const isOpen = wanted.endsWith('.ts') || target === `${wanted}/index.ts`;
  return isOpen ? null : `${where}: go through ${wanted}/index.ts`;
}

describe('the floors of the platform', () => {
  it('has no import that goes up, and none past an index.ts', () => {
    const files = sourceFilesOf('server-platform/src').filter((path) => !path.includes('/testing/'));
    const faults = files.flatMap((path) =>
      importsOf(path).flatMap((specifier) => judgeFloors(path, specifier) ?? []),
    );
    expect(faults).toEqual([]);
    expect(files.length).toBeGreaterThan(100);
  });

  it('notices an import that goes up, and one past an index.ts', () => {
    const path = join(root, 'server-platform/src/auth/guess-limiter.ts');
    expect(judgeFloors(path, '../rest/index.ts')).toContain('auth is below rest');
    expect(judgeFloors(path, '../http/window-limiter.ts')).toContain('go through http/index.ts');
    expect(judgeFloors(path, '../unknown/index.ts')).toContain('no place');
    expect(judgeFloors(path, '../http/index.ts')).toBeNull();
    expect(judgeFloors(path, './token-secret.ts')).toBeNull();
  });
});

// The folders of messaging, and the others that each may import. `turn` and `handoff` know a session by its port.
const MESSAGING: Readonly<Record<string, readonly string[]>> = {
  gateway: ['session'],
  session: ['turn', 'handoff'],
  turn: [],
  handoff: [],
};
// The files beside the folders that put the folders together. All folders use the others, which import no folder.
const ASSEMBLY: readonly string[] = ['index.ts', 'start-messaging.ts', 'messaging-context.ts'];

/** What is wrong with an import between the folders of messaging, or null. */
function judgeMessaging(path: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null;
  const messaging = join(root, 'server-platform/src/messaging');
  const [from = '', target = ''] = [path, resolve(dirname(path), specifier)].map((each) =>
    relative(messaging, each),
  );
  const [own = '', other = ''] = [from, target].map((each) => each.split('/')[0]);
  if (own === other || MESSAGING[other] === undefined || ASSEMBLY.includes(own)) return null;
  return MESSAGING[own]?.includes(other) ? null : `messaging: ${from} may not import ${target}`;
}

describe('the folders of messaging', () => {
  it('depend on each other one way: gateway, session, then turn and handoff', () => {
    const files = sourceFilesOf('server-platform/src/messaging').filter((path) => !/\/testing\//.test(path));
    const faults = files.flatMap((path) =>
      importsOf(path).flatMap((specifier) => judgeMessaging(path, specifier) ?? []),
    );
    expect(faults).toEqual([]);
    expect(files.length).toBeGreaterThan(40);
  });

  it('notices an import against the direction', () => {
    const at = (file: string): string => join(root, 'server-platform/src/messaging', file);
    expect(judgeMessaging(at('turn/turn-queue.ts'), '../session/session.ts')).toContain('may not import');
    expect(judgeMessaging(at('session/session.ts'), '../gateway/gateway.ts')).toContain('may not import');
    expect(judgeMessaging(at('connector.ts'), './session/session.ts')).toContain('may not import');
    expect(judgeMessaging(at('gateway/gateway.ts'), '../session/session-manager.ts')).toBeNull();
    expect(judgeMessaging(at('turn/turn-queue.ts'), '../session-port.ts')).toBeNull();
  });
});

describe('ports', () => {
  it('keeps clocks, timers and randomness out of the headless client but for its default ports', () => {
    const bare = /(?<![.\w])(?:setTimeout|setInterval|clearTimeout|Date\.now|Math\.random|fetch)\(/;
    const faults = sourceFilesOf('src/client')
      .filter((path) => !path.endsWith('default-ports.ts'))
      .flatMap((path) =>
        readFileSync(path, 'utf8')
          .split('\n')
          .flatMap((line, index) =>
            bare.test(line.replace(/(\/\/| \*).*$/, ''))
              ? [`${relative(root, path)}:${index + 1} ${line.trim()}`]
              : [],
          ),
      );
    expect(faults).toEqual([]);
  });

  it('keeps the clock out of pure files', () => {
    const isPure = (path: string): boolean => /\/(transition|apply-[\w-]+|select-[\w-]+)\.ts$/.test(path);
    const faults = Object.keys(fences)
      .flatMap(sourceFilesOf)
      .filter(
        (path) => isPure(path) && /Date\.now\(|new Date\(\)|Math\.random\(/.test(readFileSync(path, 'utf8')),
      );
    expect(faults.map((path) => relative(root, path))).toEqual([]);
  });
});
