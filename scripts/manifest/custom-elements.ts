import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ATTRIBUTES } from '../../src/embed/attributes.ts';
import { EVENT_NAMES } from '../../src/embed/event-names.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGES = { embedding: 'docs/embedding.md', theming: 'docs/theming.md' } as const;
const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');

/** The files of a folder and those below it, by their paths from the root. */
const filesBelow = (folder: string, end: RegExp): readonly string[] =>
  readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => end.test(file) && !/test|testing/.test(file))
    .map((file) => `${folder}/${file}`)
    .toSorted();

/** The rows of the tables under a heading of the pages: by name in the first cell, the other cells in words. */
function readRows(heading: string): ReadonlyMap<string, readonly string[]> {
  const section = Object.values(PAGES)
    .map(read)
    .join('\n')
    .split(/^#+ /m)
    .find((part) => part.startsWith(`${heading}\n`));
  const rows = [...(section ?? '').matchAll(/^\| `([\w-]+)` \|(.*)\|$/gm)].map(([, name = '', rest = '']) => {
    const cells = rest.split(' | ').map((cell) => cell.trim().replace(/\[([^\]]+)\]\([^)]+\)/g, '$1'));
    return [name, cells] as const;
  });
  return new Map(rows);
}

/** Names of the parts that the views and the launcher give out. */
export function findParts(): readonly string[] {
  const found = new Set(['launcher', 'start', 'card']);
  for (const file of filesBelow('src/widget', /\.tsx$/)) {
    for (const [, names = ''] of read(file).matchAll(/(?<![-\w])part="([^"]+)"/g)) {
      for (const name of names.split(' ')) found.add(name);
    }
  }
  return [...found].toSorted();
}

/** Names of the custom properties that style sheets read. */
export function findProperties(): readonly string[] {
  const found = new Set<string>();
  for (const file of [...filesBelow('src/widget', /\.css$/), ...filesBelow('src/embed', /\.css$/)]) {
    for (const [, name = ''] of read(file).matchAll(/var\((--natter-[\w-]+)/g)) found.add(name);
  }
  return [...found].toSorted();
}

const TYPES = { text: 'string | undefined', switch: 'boolean | undefined' } as const;

/** The custom-elements manifest of `<natter-chat>`, from the source and the words of the embedding page. Format: schema 2.1.0. */
export function createManifest(): object {
  /** In the words of the last cell, or of another one. */
  const wordsFrom = (heading: string, cell = -1) => {
    const rows = readRows(heading);
    return (name: string): { readonly description?: string } => {
      const description = rows.get(name)?.at(cell);
      return description ? { description } : {};
    };
  };
  const ofAttribute = wordsFrom('Attributes');
  const describeEvent = wordsFrom('Events', 0);
  const describePart = wordsFrom('As an element');
  const describeProperty = wordsFrom('Properties');
  const attributes = Object.entries(ATTRIBUTES);
  const typeOf = ([, { values }]: (typeof attributes)[number]): { readonly text: string } => ({
    text:
      typeof values === 'string'
        ? TYPES[values]
        : [...values.map((value) => `'${value}'`), 'undefined'].join(' | '),
  });
  const reflected = attributes
    .filter(([name]) => name !== 'title')
    .map((row) => ({
      kind: 'field',
      name: row[1].option,
      type: typeOf(row),
      ...ofAttribute(`data-${row[0]}`),
      attribute: row[0],
      reflects: true,
    }));
  return {
    schemaVersion: '2.1.0',
    readme: 'README.md',
    modules: [
      {
        kind: 'javascript-module',
        path: 'dist/element.js',
        declarations: [
          {
            kind: 'class',
            customElement: true,
            name: 'NatterChatElement',
            tagName: 'natter-chat',
            description: 'The chat widget as an element.',
            superclass: { name: 'HTMLElement' },
            attributes: attributes.map((row) => ({
              name: row[0],
              type: typeOf(row),
              ...ofAttribute(`data-${row[0]}`),
              fieldName: row[1].option,
            })),
            members: [
              ...reflected,
              {
                kind: 'field',
                name: 'strings',
                type: { text: 'StringOverrides | undefined' },
                description: 'Your own wording, by language.',
              },
              {
                kind: 'field',
                name: 'widget',
                type: { text: 'NatterWidget | null' },
                readonly: true,
                description:
                  'The running widget with its methods; null while the element is not on the page or has no endpoint.',
              },
            ],
            events: EVENT_NAMES.map((name) => ({
              name,
              type: { text: `CustomEvent<WidgetEvents['${name}']>` },
              ...describeEvent(name),
            })),
            cssParts: findParts().map((name) => ({ name, ...describePart(name) })),
            cssProperties: findProperties().map((name) => ({ name, ...describeProperty(name) })),
          },
        ],
        exports: [
          {
            kind: 'js',
            name: 'NatterChatElement',
            declaration: { name: 'NatterChatElement', module: 'dist/element.js' },
          },
          {
            kind: 'custom-element-definition',
            name: 'natter-chat',
            declaration: { name: 'NatterChatElement', module: 'dist/element.js' },
          },
        ],
      },
    ],
  };
}

/** The manifest in the package. */
export const writeManifest = (): string => `${JSON.stringify(createManifest(), null, 2)}\n`;
