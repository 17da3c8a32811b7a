import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Fence {
  /** Layers this one may import. */
  readonly layers: readonly string[];
  /** Packages that this one may import; null: any that its package.json names. */
  readonly packages: readonly string[] | null;
  /** Whether it may import modules of Node. */
  readonly node: boolean;
}

// The picture of docs/development.md, "Direction of imports". `src/client` may not know Node or the DOM at all. The packages of a
// server are those of its package.json, which knip compares with its imports.
const browser = (layers: readonly string[], packages: readonly string[] = []): Fence => ({
  layers,
  packages,
  node: false,
});
const server = (layers: readonly string[]): Fence => ({ layers, packages: null, node: true });
const fences: Readonly<Record<string, Fence>> = {
  'src/protocol': browser([]),
  'src/client': browser(
    ['src/protocol'],
    ['@noble/hashes', '@preact/signals-core', 'idb-keyval', 'reconnecting-websocket'],
  ),
  'src/widget': browser(
    ['src/client', 'src/protocol'],
    ['@preact/signals', '@preact/signals-core', 'preact', 'preact-render-to-string'],
  ),
  'src/embed': browser(['src/widget', 'src/client'], ['@preact/signals-core']),
  'src/bindings': browser(['src/client']),
  'src/react': browser(['src/bindings', 'src/embed', 'src/client'], ['react']),
  'src/preact': browser(['src/bindings', 'src/embed', 'src/client'], ['preact']),
  'src/vue': browser(['src/bindings', 'src/embed', 'src/client'], ['vue']),
  'server-sdk': browser([], ['ipaddr.js', 'valibot']),
  'server-token-proxy': server(['src/protocol', 'server-sdk']),
  'server-platform': server(['src/protocol', 'server-sdk']),
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
    .filter((path) => !/[\\/](dist|node_modules)[\\/]/.test(path));

/** What a file imports, but for statements that match `left`. */
const importsOf = (path: string, left = /(?!)/g): readonly string[] => {
  const text = readFileSync(path, 'utf8')
    .replace(left, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^'\n]+)'/g)].map((match) => match[1] ?? '');
};

const layerOf = (path: string): string | undefined =>
  Object.keys(fences).find((layer) => path.startsWith(join(root, layer, sep)));

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
  if (specifier === 'vitest' && /[\\/]testing[\\/]/.test(path)) return null;
  return packages === null || packages.includes(specifier) || packages.includes(name)
    ? null
    : `${where}: not among ${layer}'s packages`;
}

describe('the direction of imports', () => {
  it.each(Object.entries(fences))(
    '%s imports only the layers and packages that its fence allows',
    (layer, rule) => {
      const files = sourceFilesOf(layer);
      const faults = files.flatMap((path) =>
        importsOf(path).flatMap((specifier) => judge(path, layer, rule, specifier) ?? []),
      );
      expect(faults).toEqual([]);
      expect(files.length, 'the layer was found').toBeGreaterThan(0);
    },
  );

  it('a forbidden import of a layer, of Node and of a package is noticed', () => {
    const path = join(root, 'src/protocol/vocabulary.ts');
    const rule = fences['src/protocol'] ?? browser([]);
    expect(judge(path, 'src/protocol', rule, '../client/index.ts')).toContain('may import nothing');
    expect(judge(path, 'src/protocol', rule, 'node:fs')).toContain('no Node');
    expect(judge(path, 'src/protocol', rule, '@preact/signals-core')).toContain('not among');
  });
});

/** A folder whose folders may import each other in one direction. */
interface Room {
  readonly path: string;
  /** For each of its folders, which of the others it may import. */
  readonly folders: Readonly<Record<string, readonly string[]>>;
  /** Whether a folder is imported through its index.ts alone. */
  readonly hasEntries: boolean;
}

/** Floors, the lowest first: a folder may import those before it. */
const floors = (...names: readonly string[]): Room['folders'] =>
  Object.fromEntries(names.map((name, index) => [name, names.slice(0, index)]));

const PLATFORM: Room = {
  path: 'server-platform/src',
  hasEntries: true,
  folders: floors(
    ...['ids', 'tracing', 'db', 'bus', 'http', 'auth', 'sweep'],
    'accounts',
    ...['agents', 'knowledge', 'external-events'],
    'messaging',
    'rest',
    ...['conversations', 'concurrency', 'numbers', 'chat', 'event-intake', 'voice', 'erasure', 'backup'],
    ...['webhooks', 'alerts', 'inspect', 'handoff', 'openapi', 'asyncapi', 'desk', 'console'],
    'config',
  ),
};
// `turn` and `handoff` know a session by its port.
const MESSAGING: Room = {
  path: 'server-platform/src/messaging',
  hasEntries: false,
  folders: {
    gateway: ['session', 'trace'],
    session: ['turn', 'handoff', 'trace'],
    turn: ['trace'],
    handoff: ['trace'],
    trace: [],
  },
};

/** The part of a room that a path is in: one of its folders, or a file beside them. */
const partOf = ({ path }: Room, file: string): string => relative(join(root, path), file).split(sep)[0] ?? '';

/** Whether a file beside the folders puts them together: it imports more than types of one of them. */
const isAssembly = (room: Room, file: string): boolean =>
  importsOf(file, /^import type [^;]*;/gm)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => partOf(room, resolve(dirname(file), specifier)))
    .some((part) => part !== '..' && !part.endsWith('.ts'));

/**
 * What is wrong with an import between two parts of a room, or null. A file beside the folders may import all of them; such a
 * file is imported by the folders only if it imports nothing but types of them.
 */
function judgeRoom(room: Room, path: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null;
  const target = resolve(dirname(path), specifier);
  const [own, other] = [partOf(room, path), partOf(room, target)];
  if (own === other || other === '..' || own.endsWith('.ts')) return null;
  const where = `${relative(root, path)} imports ${relative(root, target)}`;
  if (other.endsWith('.ts'))
    return isAssembly(room, target) ? `${where}: ${other} puts the folders together` : null;
  const allowed = room.folders[own];
  if (allowed === undefined || room.folders[other] === undefined)
    return `${where}: ${allowed === undefined ? own : other} has no place in test/layer-fences.test.ts`;
  if (!allowed.includes(other)) return `${where}: ${own} may not import ${other}`;
  const isOpen = !room.hasEntries || target === join(root, room.path, other, 'index.ts');
  return isOpen ? null : `${where}: go through ${other}/index.ts`;
}

describe('the folders of a server', () => {
  it.each([PLATFORM, MESSAGING])('the folders of $path import each other in one direction', (room) => {
    const files = sourceFilesOf(room.path).filter((path) => !/[\\/]testing[\\/]/.test(path));
    const faults = files.flatMap((path) =>
      importsOf(path).flatMap((specifier) => judgeRoom(room, path, specifier) ?? []),
    );
    expect(faults).toEqual([]);
    expect(files.length).toBeGreaterThan(40);
  });

  it('an import against the direction is noticed, and one past an index.ts', () => {
    const judgePlatform = (file: string, specifier: string): string | null =>
      judgeRoom(PLATFORM, join(root, PLATFORM.path, file), specifier);
    expect(judgePlatform('auth/guess-limiter.ts', '../rest/index.ts')).toContain('auth may not import rest');
    expect(judgePlatform('auth/guess-limiter.ts', '../serve.ts')).toContain('puts the folders together');
    expect(judgePlatform('auth/guess-limiter.ts', '../http/window-limiter.ts')).toContain('http/index.ts');
    expect(judgePlatform('auth/guess-limiter.ts', '../unknown/index.ts')).toContain('no place');
    expect(judgePlatform('auth/guess-limiter.ts', '../http/index.ts')).toBeNull();
    expect(judgePlatform('auth/guess-limiter.ts', '../clock.ts')).toBeNull();
    expect(judgePlatform('auth/guess-limiter.ts', './token-secret.ts')).toBeNull();
    const judgeMessaging = (file: string, specifier: string): string | null =>
      judgeRoom(MESSAGING, join(root, MESSAGING.path, file), specifier);
    expect(judgeMessaging('turn/turn-queue.ts', '../session/session.ts')).toContain('may not import');
    expect(judgeMessaging('session/session.ts', '../gateway/gateway.ts')).toContain('may not import');
    expect(judgeMessaging('turn/turn-queue.ts', '../start-messaging.ts')).toContain('puts the folders');
    expect(judgeMessaging('gateway/gateway.ts', '../session/session-manager.ts')).toBeNull();
    expect(judgeMessaging('turn/turn-queue.ts', '../session-port.ts')).toBeNull();
  });
});

describe('ports', () => {
  it('the headless client keeps clocks, timers and randomness in its default ports', () => {
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

  it('pure files read no clock', () => {
    const isPure = (path: string): boolean => /[\\/](transition|apply-[\w-]+|select-[\w-]+)\.ts$/.test(path);
    const faults = Object.keys(fences)
      .flatMap(sourceFilesOf)
      .filter(
        (path) => isPure(path) && /Date\.now\(|new Date\(\)|Math\.random\(/.test(readFileSync(path, 'utf8')),
      );
    expect(faults.map((path) => relative(root, path))).toEqual([]);
  });
});
