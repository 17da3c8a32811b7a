import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { INVARIANTS } from './invariants.ts';
import { FAULT_KINDS } from './schedule.ts';

const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');

it.each(Object.entries(INVARIANTS))('the README names the invariant %s', (name, text) => {
  expect(readme).toContain(`| \`${name}\` | ${text.replace(/\.$/, '')}`);
});

it.each(FAULT_KINDS)('the README says what happens under %s', (kind) => {
  expect(readme).toMatch(new RegExp(`^\\| [^|]*\`${kind}\``, 'm'));
});
