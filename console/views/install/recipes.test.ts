// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import type { Setup } from './options.ts';
import { writeRecipes } from './recipes.ts';

const title = 'Say "hi" & </script><b>{{ go }}</b> {% now %}';
const rules = JSON.stringify([{ id: 'fares', text: "Can't find it?", afterSeconds: 20 }]);

const write = (setup: Partial<Setup>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    writeRecipes({ attributes: {}, properties: {}, sheet: '', site: '', ...setup }).map(({ id, text }) => [
      id,
      text,
    ]),
  );

const recipes = write({
  attributes: { endpoint: 'https://chat.example.org/', title, proactive: rules },
  sheet: 'ink',
});

it.each(['wordpress', 'shopify', 'webflow', 'squarespace', 'rails', 'django'])(
  'the recipe for %s is a script tag that carries every text as it was written',
  (name) => {
    const page = new DOMParser().parseFromString(recipes[name] ?? '', 'text/html');
    const script = page.querySelector('script');
    expect(script?.getAttribute('src')).toBe('https://chat.example.org/natter.js');
    expect(script?.dataset['title']).toBe(title);
    expect(script?.dataset['proactive']).toBe(rules);
    expect(page.querySelector('link')?.getAttribute('href')).toBe('https://chat.example.org/natter/ink.css');
    expect(page.querySelectorAll('b')).toHaveLength(0);
  },
);

it.each(['shopify', 'django'])('the recipe for %s has nothing that a template would read', (name) => {
  expect(recipes[name]).not.toContain('{');
});

it('the recipe for Google Tag Manager adds the script with its attributes, without newer syntax', () => {
  const text = recipes['tag-manager'] ?? '';
  const code = /^<script>(.*)<\/script>$/s.exec(text)?.[1] ?? '';
  expect(code).not.toMatch(/<\/|=>|\b(?:const|let)\b|`/);
  const added: Element[] = [];
  const fake = {
    head: { appendChild: (element: Element) => added.push(element) },
    createElement: (name: string) => document.createElement(name),
  };
  new Function('document', code)(fake);
  const [theme, script] = added;
  expect(theme?.getAttribute('href')).toBe('https://chat.example.org/natter/ink.css');
  expect(script?.getAttribute('src')).toBe('https://chat.example.org/natter.js');
  expect(script?.getAttribute('data-title')).toBe(title);
  expect(script?.getAttribute('data-proactive')).toBe(rules);
});

it('the recipe for Next.js gives every text as a string of JavaScript', () => {
  const lines = (recipes['next'] ?? '').split('\n');
  const line = lines.find((each) => each.includes('data-title')) ?? '';
  expect(JSON.parse(/=\{(.*)\}$/.exec(line)?.[1] ?? 'null')).toBe(title);
  expect(lines).toContain('  src={"https://chat.example.org/natter.js"}');
});
