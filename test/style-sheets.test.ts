import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../src', import.meta.url));

/** Returns the class names in the style sheets of a layer. */
function classesOf(layer: string): ReadonlySet<string> {
  const sheets = readdirSync(join(root, layer), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.css'))
    .map((file) => readFileSync(join(root, layer, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, ''));
  return new Set(sheets.flatMap((sheet) => sheet.match(/\.[a-z][\w-]*/g) ?? []));
}

it('the launcher and the panel, which share a shadow root, share no class', () => {
  const launcher = classesOf('embed');
  const panel = classesOf('widget');
  expect(launcher).toContain('.launcher');
  expect(panel).toContain('.panel');
  expect([...launcher].filter((name) => panel.has(name))).toEqual([]);
});
