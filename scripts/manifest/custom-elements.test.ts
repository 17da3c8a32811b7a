import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createManifest, findParts, findProperties } from './custom-elements.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

it('the package names and contains the custom elements manifest', () => {
  const { customElements, files, exports } = JSON.parse(read('package.json'));
  expect([customElements, files.includes(customElements), exports['./custom-elements.json']]).toEqual([
    'custom-elements.json',
    true,
    './custom-elements.json',
  ]);
});

it('the custom elements manifest describes every export', () => {
  const undescribed: string[] = [];
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) walk(item);
    else if (typeof value === 'object' && value !== null) {
      const { name, description, declaration, tagName } = Object(value);
      const isEntry = typeof name === 'string' && !declaration && !tagName && !name.endsWith('Element');
      if (isEntry && !description) undescribed.push(name);
      for (const inner of Object.values(value)) walk(inner);
    }
  };
  walk(createManifest());
  expect(undescribed).toEqual([]);
});

it("the custom elements manifest lists the element's parts and properties", () => {
  expect(findParts()).toEqual(expect.arrayContaining(['launcher', 'panel', 'composer', 'agent-message']));
  expect(findProperties()).toEqual(expect.arrayContaining(['--natter-accent', '--natter-z-index']));
  const page = read('docs/embedding.md') + read('docs/theming.md');
  const missing = [...findParts(), ...findProperties()].filter((name) => !page.includes(`| \`${name}\` |`));
  expect(missing).toEqual([]);
});
