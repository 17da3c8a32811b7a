import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Fence {
  /** Layers that this one may import. */
  readonly layers: readonly string[];
  /** Packages that this one may import; `null` for those in its package.json. */
  readonly packages: readonly string[] | null;
  /** True if it may import modules of Node. */
  readonly node: boolean;
}

// The diagram of docs/development.md, "Direction of imports". `src/client` must not use Node or the DOM. The packages
// of a server are in its package.json, which knip compares with its imports.
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
  'server-kit': server(['server-sdk']),
  'server-token-proxy': server(['src/protocol', 'server-sdk', 'server-kit']),
  'server-platform': server(['src/protocol', 'server-sdk', 'server-kit']),
};

const publishedNames: Readonly<Record<string, string>> = {
  natter: 'src/embed',
  'natter/client': 'src/client',
  'natter/element': 'src/embed',
  'natter/protocol': 'src/protocol',
  '@natter/sdk': 'server-sdk',
  '@natter/server-kit': 'server-kit',
  '@natter/token-proxy': 'server-token-proxy',
  '@natter/platform': 'server-platform',
};

const sourceFilesOf = (layer: string): readonly string[] =>
  readdirSync(join(root, layer), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(test|d)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/[\\/](dist|node_modules)[\\/]/.test(path));

/** Returns the imports of a file, except statements that match `left`. */
const importsOf = (path: string, left = /(?!)/g): readonly string[] => {
  const text = readFileSync(path, 'utf8')
    .replace(left, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^'\n]+)'/g)].map((match) => match[1] ?? '');
};

const layerOf = (path: string): string | undefined =>
  Object.keys(fences).find((layer) => path.startsWith(join(root, layer, sep)));

/** Returns the fault of one import, or null. */
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
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  const published = publishedNames[specifier] ?? publishedNames[name];
  if (published) return layers.includes(published) ? null : `${where}: ${layer} may not import ${published}`;
  // Files in `testing` are set-up that tests share; nothing else imports them.
  if (specifier === 'vitest' && /[\\/]testing[\\/]/.test(path)) return null;
  return packages === null || packages.includes(specifier) || packages.includes(name)
    ? null
    : `${where}: not among ${layer}'s packages`;
}

describe('the direction of imports', () => {
  it.each(Object.entries(fences))(
    '%s imports only the layers and packages that its table allows',
    (layer, rule) => {
      const files = sourceFilesOf(layer);
      const faults = files.flatMap((path) =>
        importsOf(path).flatMap((specifier) => judge(path, layer, rule, specifier) ?? []),
      );
      expect(faults).toEqual([]);
      expect(files.length, 'the layer was found').toBeGreaterThan(0);
    },
  );

  it('the test detects a forbidden import of a layer, of Node and of a package', () => {
    const path = join(root, 'src/protocol/vocabulary.ts');
    const rule = fences['src/protocol'] ?? browser([]);
    expect(judge(path, 'src/protocol', rule, '../client/index.ts')).toContain('may import nothing');
    expect(judge(path, 'src/protocol', rule, 'node:fs')).toContain('no Node');
    expect(judge(path, 'src/protocol', rule, '@preact/signals-core')).toContain('not among');
  });
});

// Programs that import internals of a package: they measure its parts, or show states that no page can cause.
const INSIDERS = [
  ...['demo/gallery', 'labs/attack/stack', 'labs/bench', 'labs/cluster'],
  ...['labs/evaluation', 'labs/linear', 'labs/seeding', 'labs/soak'],
];

it.each(['demo', 'labs', 'e2e'])('%s imports what the packages export, except for its insiders', (folder) => {
  const isInsider = (path: string): boolean =>
    INSIDERS.some((insider) => path.startsWith(join(root, insider, sep)));
  const faults = sourceFilesOf(folder)
    .filter((path) => !isInsider(path))
    .flatMap((path) =>
      importsOf(path)
        .filter((specifier) => specifier.startsWith('.') && layerOf(resolve(dirname(path), specifier)))
        .filter((specifier) => !/[\\/]server-[\w-]+[\\/]test[\\/]/.test(resolve(dirname(path), specifier)))
        .map((specifier) => `${relative(root, path)} imports ${specifier}`),
    );
  expect(faults).toEqual([]);
});

it('the console imports nothing of the demo, and the demo only components and build of the console', () => {
  const findImports = (folder: string, other: string): ReadonlySet<string> =>
    new Set(
      sourceFilesOf(folder)
        .flatMap((path) => importsOf(path).map((specifier) => resolve(dirname(path), specifier)))
        .filter((target) => target.startsWith(join(root, other, sep))),
    );
  expect(findImports('console', 'demo')).toEqual(new Set());
  const open = ['ui/index.ts', 'ui/ui.css', 'vite.config.ts'].map((file) => join(root, 'console', file));
  expect(findImports('demo', 'console')).toEqual(new Set(open));
});

/** Folders of a server, and their imports from each other. */
interface Imports {
  /** For each file, the files that it imports values from. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** For each file, all files that it imports from. */
  readonly all: ReadonlyMap<string, readonly string[]>;
}

function readImports(folder: string): Imports {
  const files = sourceFilesOf(folder);
  const read = (left?: RegExp): ReadonlyMap<string, readonly string[]> =>
    new Map(
      files.map((path) => [
        path,
        importsOf(path, left)
          .filter((specifier) => specifier.startsWith('.'))
          .map((specifier) => resolve(dirname(path), specifier)),
      ]),
    );
  return { values: read(/^(?:im|ex)port type [^;]*;/gm), all: read() };
}

/**
 * Returns the part that a file belongs to: its folder, or the file itself if it is beside folders, because it combines
 * them or describes a common type.
 */
function partsOf(files: readonly string[]): (path: string) => string {
  const parents = new Set(files.map((path) => dirname(dirname(path))));
  return (path) => (parents.has(dirname(path)) ? path : dirname(path));
}

/** Returns a path from a part back to itself, or null. */
function findCycle(imports: ReadonlyMap<string, readonly string[]>): readonly string[] | null {
  const partOf = partsOf([...imports.keys()]);
  const next = new Map<string, Set<string>>();
  for (const [path, targets] of imports) {
    const part = partOf(path);
    for (const target of targets.map(partOf))
      if (target !== part) next.set(part, (next.get(part) ?? new Set()).add(target));
  }
  const done = new Set<string>();
  const walk = (part: string, way: readonly string[]): readonly string[] | null => {
    if (way.includes(part)) return [...way.slice(way.indexOf(part)), part];
    if (done.has(part)) return null;
    for (const target of next.get(part) ?? []) {
      const cycle = walk(target, [...way, part]);
      if (cycle) return cycle;
    }
    done.add(part);
    return null;
  };
  for (const part of next.keys()) {
    const cycle = walk(part, []);
    if (cycle) return cycle;
  }
  return null;
}

/** Returns imports that bypass the nearest `index.ts` of a folder that does not contain the importing file. */
function findPastIndex(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const indexes = new Set([...imports.keys()].filter((path) => path.endsWith(`${sep}index.ts`)).map(dirname));
  const entryOf = (target: string): string | undefined => {
    for (let folder = dirname(target); folder.startsWith(root); folder = dirname(folder))
      if (indexes.has(folder)) return folder;
    return undefined;
  };
  return [...imports].flatMap(([path, targets]) =>
    targets.flatMap((target) => {
      const entry = entryOf(target);
      const isOpen =
        entry === undefined || path.startsWith(entry + sep) || target === join(entry, 'index.ts');
      return isOpen
        ? []
        : [`${relative(root, path)} imports ${relative(root, target)}: go through its index.ts`];
    }),
  );
}

describe('the folders of a server', () => {
  const { values, all } = readImports('server-platform/src');
  const path = (file: string): string => join(root, 'server-platform/src', file);

  it('the folders of the platform import values from each other in one direction', () => {
    expect(findCycle(values)?.map((part) => relative(root, part)) ?? null).toBeNull();
    expect(values.size).toBeGreaterThan(400);
  });

  it('the folders of the platform import each other through their index.ts', () => {
    expect(findPastIndex(all)).toEqual([]);
  });

  it('the test detects a cycle of folders, and an import past an index.ts', () => {
    const extra = [path('accounts/projects.ts'), [path('records/erasure/erase.ts')]] as const;
    expect(findCycle(new Map([...values, extra]))).not.toBeNull();
    expect(findPastIndex(new Map([...all, extra]))).toHaveLength(1);
  });
});

describe('ports', () => {
  it('the headless client uses clocks, timers and randomness only in its default ports', () => {
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
