import { expect, it } from 'vitest';
import { chooseVariant } from './choose-variant.ts';

const variant = (id: string, weight: number | null) => ({ id, name: id, agent: null, weight });

it('chooses the requested variant, whatever its weight', () => {
  const variants = [variant('a', 1), variant('b', 0), variant('c', null)];
  for (const id of ['a', 'b', 'c']) expect(chooseVariant(variants, id, 0)?.id).toBe(id);
});

it('distributes sessions by weight, and chooses none without weights', () => {
  const variants = [variant('a', 3), variant('b', 1), variant('c', 0), variant('d', null)];
  const counts: Record<string, number> = {};
  for (let step = 0; step < 400; step += 1) {
    const id = chooseVariant(variants, step % 2 === 0 ? null : 'unknown', step / 400)?.id ?? '';
    counts[id] = (counts[id] ?? 0) + 1;
  }
  expect(counts).toEqual({ a: 300, b: 100 });
  expect(chooseVariant([variant('a', null), variant('b', 0)], null, 0.5)).toBeNull();
  expect(chooseVariant([], 'a', 0.5)).toBeNull();
});
