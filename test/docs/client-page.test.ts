import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const page = read('docs/client.md');

/** Returns the names in the first column of the table that begins with `first`. */
function namesUnder(first: string): readonly string[] {
  const [, rows = ''] = new RegExp(`^\\| ${first} \\|.*\\n\\|-.*\\n((?:\\|.*\\n)+)`, 'm').exec(page) ?? [];
  return [...rows.matchAll(/^\| ([^|]*)/gm)]
    .flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)/g)].map(([, name = '']) => name))
    .toSorted();
}

/** Returns the member names of interfaces in a source file of the client. */
function membersOf(file: string, names: string): readonly string[] {
  const source = read(`src/client/${file}`);
  const bodies = source.matchAll(new RegExp(`interface (?:${names})\\b[^{]*\\{\\n([\\s\\S]*?)\\n\\}`, 'g'));
  return [...bodies]
    .flatMap(([, body = '']) => [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[(:]/gm)])
    .map(([, member = '']) => member)
    .toSorted();
}

it.each([
  ['Option', 'chat-client.ts', 'ChatClientOptions', 'endpoint'],
  ['Signal', 'chat-state.ts', 'ChatState', 'unsent'],
  ['Command', 'chat-client.ts', 'Chat|ChatClient', 'start'],
])('docs/client.md: the table "%s" has every member of %s %s and no other', (table, file, name, one) => {
  const members = membersOf(file, name);
  expect(members).toContain(one);
  expect(namesUnder(table)).toEqual(members);
});

/** Returns declarations of types by name, each on one line, without comments and `readonly`. */
function declarationsIn(source: string): ReadonlyMap<string, string> {
  const plain = source.replace(/\/\*\*.*?\*\/|\b(?:export|readonly) /gs, '').replace(/\s+/g, ' ');
  const found = plain.matchAll(/\b(?:type|interface) (\w+).*?(?=\b(?:type|interface|import) |$)/g);
  return new Map([...found].map(([declaration, name = '']) => [name, declaration.trim()]));
}

it('docs/client.md: the shapes of the state match the source', () => {
  const [, block = ''] = /^### Shapes$.*?```ts\n(.*?)```/ms.exec(page) ?? [];
  const documented = declarationsIn(block);
  const declared = declarationsIn(read('src/client/chat-state.ts'));
  expect(documented.get('TranscriptItem')).toContain("kind: 'agent'");
  for (const [name, declaration] of documented) expect(declaration, name).toBe(declared.get(name));
  const others = [...declared.keys()].filter((name) => !documented.has(name));
  expect(others).toEqual(['ChatState']);
});
