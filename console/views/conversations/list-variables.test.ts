import { expect, it } from 'vitest';
import { listVariables } from './list-variables.ts';

it('the state of an agent is shown field by field, lists as JSON, and null fields left out', () => {
  const state = {
    topic: 'ferries',
    misses: 0,
    none: null,
    route: { from: 'Tarrow', via: { port: 'Mewsay' } },
  };
  expect(listVariables({ ...state, seen: ['a', 'b'] })).toEqual([
    ['topic', 'ferries'],
    ['misses', '0'],
    ['route › from', 'Tarrow'],
    ['route › via › port', 'Mewsay'],
    ['seen', '["a","b"]'],
  ]);
});
