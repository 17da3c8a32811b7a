import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SCENARIOS } from './scenarios.ts';

const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');

it('the README of the cluster tests lists every scenario and no other one', () => {
  const [table = ''] = readme.slice(readme.indexOf('| Scenario | What happens |')).split('\n\n');
  const named = [...table.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name);
  expect(named).toContain('fallback');
  expect(named.toSorted()).toEqual(Object.keys(SCENARIOS).toSorted());
});
