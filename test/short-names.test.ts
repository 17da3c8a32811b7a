import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { type ESTree, parseSync, Visitor } from 'vite';
import { describe, expect, it } from 'vitest';

const shortNames: Record<string, string> = JSON.parse(readFileSync('vite.short-names.json', 'utf8'));
const names = Object.keys(shortNames);

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\/testing\//.test(file))
  .map((file) => readFileSync(`src/${file}`, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ''));

const properties = new Set<string>();
const add = (name: ESTree.Node): void => {
  if (name.type === 'Identifier' || name.type === 'JSXIdentifier') properties.add(name.name);
  if (name.type === 'Literal') properties.add(String(name.value));
};
/** Notes the names of all properties, and all texts, by which one may be looked up. */
const visitor = new Visitor({
  MemberExpression: ({ property }) => add(property),
  Property: ({ key }) => add(key),
  MethodDefinition: ({ key }) => add(key),
  JSXAttribute: ({ name }) => add(name),
  Literal: add,
});

describe('names that the script-tag build shortens', () => {
  it('are short by names of their own', () => {
    const values = Object.values(shortNames);
    expect(new Set(values).size).toBe(values.length);
    expect(values.filter((name) => !/^(?:[A-Za-z]|[a-z]{2})$/.test(name))).toEqual([]);
  });

  it('are not short by names that something else has', () => {
    for (const source of sources) visitor.visit(parseSync('source.tsx', source).program);
    expect(Object.values(shortNames).filter((name) => properties.has(name))).toEqual([]);
  });

  it('are none that a page knows', () => {
    const known = ['natter', 'natter/compat', 'natter/element', 'natter/react', 'natter/vue']
      .map((entry) => readFileSync(`api/${entry}.d.ts`, 'utf8'))
      .join('\n')
      // Texts of one's own are for those who import the widget; a script tag has no way to give them.
      .replace(/declare const strings: \{.*?^\};/gms, '');
    expect(names.filter((name) => new RegExp(`\\b${name}\\b\\??[:(<]`).test(known))).toEqual([]);
  });

  it('are none that is kept in the browser, where another build may find it', () => {
    const stored = readFileSync('src/client/storage/stored-conversation.ts', 'utf8');
    expect(names.filter((name) => new RegExp(`readonly ${name}\\b`).test(stored))).toEqual([]);
  });

  it('belong to a version of what tabs and builds tell each other', () => {
    const source = readFileSync('src/client/create-shared-conversation.ts', 'utf8');
    const version = /MIRROR_VERSION = `(\d+)/.exec(source)?.[1];
    const sum = createHash('sha256')
      .update(JSON.stringify(Object.entries(shortNames).toSorted()))
      .digest('hex');
    // With other names, raise the version by one and note it here with their sum: the version's own names are not all of them.
    expect(`${version}: ${sum.slice(0, 8)}`).toBe('6: 3df161de');
  });

  it('are none that a saved conversation is written with', () => {
    const saved = readFileSync('src/widget/save/saved-conversation.ts', 'utf8');
    expect(names.filter((name) => new RegExp(`readonly ${name}\\b`).test(saved))).toEqual([]);
  });

  it('are none by which something is looked up', () => {
    const lookedUp = names.filter((name) => {
      // A class, a part and a type's key are no look-up.
      const quoted = new RegExp(`(?<!class=|part=|Pick<[^>]*)(['"\`])${name}\\1`);
      return sources.some((source) => quoted.test(source));
    });
    expect(lookedUp).toEqual([]);
  });

  it('are all in use', () => {
    expect(
      names.filter((name) => !sources.some((source) => new RegExp(`\\b${name}\\b`).test(source))),
    ).toEqual([]);
  });
});
