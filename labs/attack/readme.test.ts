import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ATTACKS } from './attacks.ts';

const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');

it('the README lists every attack with what its peers do, and no other one', () => {
  const rows = readme.match(/^\| `.*$/gm) ?? [];
  expect(rows).toEqual(ATTACKS.map(({ name, summary }) => `| \`${name}\` | ${summary} |`));
});
