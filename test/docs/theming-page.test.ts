import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');
const page = read('docs/theming.md');

const unique = (names: Iterable<string>): readonly string[] => [...new Set(names)].toSorted();

it('docs/theming.md has every custom property that the style sheets read, and no other', () => {
  const sheets = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.css') && !file.includes('themes'),
  );
  const used = sheets.flatMap((file) => read(`src/${file}`).match(/(?<=var\()--natter-[\w-]+/g) ?? []);
  const told = [...page.matchAll(/^\| `(--natter-[\w-]+)`/gm)].map(([, name = '']) => name);
  expect(used).toContain('--natter-accent');
  expect(unique(told)).toEqual(unique(used));
});

it('docs/theming.md shows every theme, light and dark, and a theme sets documented properties only', () => {
  const themes = readdirSync(`${root}src/widget/themes`).map((file) => file.replace('.css', ''));
  const shown = [...page.matchAll(/pictures\/theme-(\w+)-corner-(light|dark)\.png/g)];
  expect(unique(shown.map(([, name = '', scheme]) => `${name} ${scheme}`))).toEqual(
    unique(themes.flatMap((name) => [`${name} light`, `${name} dark`])),
  );
  for (const [picture] of shown) expect(readdirSync(`${root}docs/pictures`)).toContain(picture.split('/')[1]);
  for (const name of themes) {
    for (const [property] of read(`src/widget/themes/${name}.css`).matchAll(/--[\w-]+(?=:)/g))
      expect(page, name).toContain(`| \`${property}\``);
  }
});
