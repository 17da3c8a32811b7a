import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import * as preact from '../../src/preact/index.ts';
import * as react from '../../src/react/index.ts';
import * as vue from '../../src/vue/index.ts';

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const page = read('docs/own-view.md');

/** Returns the names in the first column of the tables under a heading. */
function namesUnder(heading: string): readonly string[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| `(\w+)/gm)].map(([, name = '']) => name).toSorted();
}

it.each([
  ['React', react],
  ['Vue', vue],
])(
  'docs/own-view.md lists everything that the module for %s exports besides the widget',
  (heading, module) => {
    const names = Object.keys(module).filter((name) => name !== 'NatterChat');
    expect(names).toContain('useChat');
    expect(namesUnder(heading)).toEqual(names.toSorted());
  },
);

it('docs/own-view.md has the hooks of React for Preact', () => {
  const names = namesUnder('React').filter((name) => /^use|^ChatProvider$/.test(name));
  expect(Object.keys(preact).toSorted()).toEqual(names);
});

it.each([
  ['tsx', 'examples/react/src/own-view.tsx'],
  ['vue', 'examples/vue/src/own-view.vue'],
])('docs/own-view.md shows a view in %s that an example is built from', (language, file) => {
  expect(page).toContain(`\`\`\`${language}\n${read(file)}\`\`\`\n`);
});
