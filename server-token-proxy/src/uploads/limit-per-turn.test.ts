import { expect, it } from 'vitest';
import { limitPerTurn } from './limit-per-turn.ts';

it('runs a few tasks at a time, in order, with other work in between', async () => {
  const turn = limitPerTurn(2);
  const steps: string[] = [];
  const other = (async () => {
    for (let round = 0; round < 3; round += 1) {
      await new Promise((resolve) => setTimeout(resolve));
      steps.push('other');
    }
  })();
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => turn().then(() => steps.push(name)));
  await Promise.all([...all, other]);
  expect(steps.filter((step) => step !== 'other')).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(steps.slice(0, steps.indexOf('e'))).toContain('other');
  await turn();
});
